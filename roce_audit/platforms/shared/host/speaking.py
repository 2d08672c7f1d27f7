"""An answer is handed to the tool that reads it, or it is said why there is none."""

from __future__ import annotations

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.host.answers import REFUSED, Answer, Tool
from roce_audit.platforms.shared.host.collector import HOST, QUOTE, Collector, Subject
from roce_audit.text.document import Document

FAILED = lazy(
    r"\A\s*(?:@@ S |Attribute (?:read|not found): |[Nn]etlink error: |sudo: |Traceback \(most recent call last\):"
    r"|Cannot (?:find|get) device|Object \"[^\"\n]{1,40}\" is unknown"
    r"|-E- |Device \"?[^\"\n]{1,60}\"? does not exist|RTNETLINK answers: |[^\n]{0,80}: (?:command )?not found\s*\Z"
    r"|[^\n{\[]{0,120}(?:No such (?:device|file or directory)|Operation not (?:supported|permitted)|Permission denied)\s*\Z"
    r"|[^\n{\[]{0,120}\b(?:as root|be root|root privileges?|superuser)\b)"
)


def speak(document: Document, tool: Tool, subject: Subject | None, collector: Collector) -> None:
    """Have a document read by its tool; `subject` is whom its command names."""
    answer = Answer(document, tool, subject, collector)
    silent = document.exit_status is None and not document.text.strip()
    failed = silent or document.exit_status not in (None, 0) or FAILED.match(document.text[:400]) is not None
    if failed and tool.covers:
        first = next(
            (text for _, text in answer.lines()), "no answer" if silent else f"exit status {document.exit_status}"
        )
        line = next((number for number, _ in answer.lines()), document.first_line)
        if document.exit_status == 127:
            first = "the host has no such tool"
        answer.say(REFUSED + first.strip()[:QUOTE], line, subject or HOST)
    readable = (
        not failed
        or tool.prints_nothing
        or (tool.partial and document.exit_status != 127 and not FAILED.match(document.text[:400]))
    )
    if readable and tool.split is not None:
        tool.split(answer)
