"""The language server: diagnostics of open files, hover with the rule explained, and the proved change as a code action."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from roce_audit import __version__
from roce_audit.editor.buffers import Judged, LineEdit, Mark, RequestOf, fix, judge
from roce_audit.editor.explaining import explanation
from roce_audit.engine.findings import Location

NAME = "roce-audit"
FIX = "roce-audit.fix"
"""Command: document and rule -> the proved change, applied by the editor."""
_PAUSE_SECONDS = 0.3
"""Rest after a keystroke before the file is judged."""
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
    "none": lsp.DiagnosticSeverity.Hint,
}

_NOT_SAVED = Mark(0, 0, 0, "info", "", "not judged: no file of this name is saved")


class Server(LanguageServer):
    """Files are judged one after the other, in a thread of their own; a newer text takes the place of one that waits."""

    def __init__(self, request_of: RequestOf) -> None:
        super().__init__(NAME, __version__)
        self._request_of = request_of
        self._worker = ThreadPoolExecutor(1)
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._judged: dict[str, Judged] = {}
        kinds = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
        # pygls writes on what it is given, which bound methods do not take: each goes in a partial
        self.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(partial(self._opened))
        self.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(partial(self._changed))
        self.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(partial(self._saved))
        self.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(partial(self._closed))
        self.feature(lsp.TEXT_DOCUMENT_HOVER)(partial(self._hover))
        self.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, kinds)(partial(self._actions))
        self.command(FIX)(partial(self._fix))

    def shutdown(self) -> None:
        """Leave; what waits to be judged is not judged any more."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]

    async def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._judge_soon(params.text_document.uri)

    async def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._judge_soon(params.text_document.uri)

    async def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        """What stands in one file may decide what is wrong in another; a policy in all of them."""
        for uri in list(self.workspace.text_documents):
            self._judge_soon(uri)

    async def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if (task := self._waiting.pop(uri, None)) is not None:
            task.cancel()
        self._judged.pop(uri, None)
        self._publish(uri, ())

    def _judge_soon(self, uri: str) -> None:
        if (task := self._waiting.get(uri)) is not None:
            task.cancel()
        self._waiting[uri] = asyncio.create_task(self._judge(uri))

    async def _judge(self, uri: str) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        path = to_fs_path(uri)
        if path is None or not os.path.isfile(path):  # never saved, moved or removed: it has no place in a folder
            self._judged.pop(uri, None)
            self._publish(uri, (_NOT_SAVED,))
            return
        loop = asyncio.get_running_loop()
        done = await loop.run_in_executor(self._worker, self._outcome, path, self._texts(), self._folders())
        self._judged[uri] = done
        self._publish(uri, done.marks)

    def _outcome(self, path: str, texts: Mapping[str, str], folders: Sequence[str]) -> Judged:
        """A file that cannot be judged says so at its first line: an empty list would read as "nothing is wrong"."""
        try:
            return judge(path, texts, self._request_of, folders)
        except Exception as error:  # a wrong policy, or a fault of this program: the server goes on
            return Judged((Mark(0, 0, 0, "error", "", f"not judged: {error}"),), {})

    def _texts(self) -> dict[str, str]:
        found = {to_fs_path(uri): document.source for uri, document in self.workspace.text_documents.items()}
        return {path: text for path, text in found.items() if path is not None and os.path.isfile(path)}

    def _folders(self) -> list[str]:
        found = [self.workspace.root_path, *map(to_fs_path, self.workspace.folders)]
        return [str(folder) for folder in found if folder is not None]

    def _publish(self, uri: str, marks: Sequence[Mark]) -> None:
        document = self.workspace.get_text_document(uri)
        shown = [_diagnostic(mark, document) for mark in marks]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, document.version))

    def _at(self, uri: str, first: int, last: int) -> list[Mark]:
        judged = self._judged.get(uri)
        return [] if judged is None else [mark for mark in judged.marks if mark.rule and first <= mark.line <= last]

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        uri, line = params.text_document.uri, params.position.line
        found = {(mark.rule, mark.platform) for mark in self._at(uri, line, line)}
        if not found:
            return None
        rules = self._judged[uri].rules
        text = "\n\n---\n\n".join(explanation(rules[rule], platform) for rule, platform in sorted(found))
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text))

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """One action a rule that fails here. Whether there is a proved change is looked for when it is chosen: that takes seconds."""
        uri = params.text_document.uri
        rules = dict.fromkeys(mark.rule for mark in self._at(uri, params.range.start.line, params.range.end.line))
        return [
            lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, command=lsp.Command(title, FIX, arguments=[uri, rule]))
            for rule in rules
            for title in [f"Look for a proved fix of {rule} in this file"]
        ]

    async def _fix(self, uri: str, rule: str) -> None:
        """Change the texts in the editor; nothing is saved, and nothing is sent to a device."""
        path = to_fs_path(uri)
        if path is None:
            return
        versions = {u: document.version for u, document in self.workspace.text_documents.items()}
        arguments = path, rule, self._texts(), self._request_of, self._folders()
        try:
            edits, remark = await asyncio.get_running_loop().run_in_executor(self._worker, fix, *arguments)
        except Exception as error:
            edits, remark = {}, str(error)
        if remark:  # why nothing is changed, or what the change leaves
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, f"{NAME}: {rule}: {remark}"))
        if not edits:
            return
        open_paths = {to_fs_path(u): u for u in versions}
        changes = [
            lsp.TextDocumentEdit(
                lsp.OptionalVersionedTextDocumentIdentifier(target, versions.get(target)), _edits(lines)
            )
            for file, lines in edits.items()
            for target in [open_paths.get(file) or from_fs_path(file) or file]
        ]
        edit = lsp.WorkspaceEdit(document_changes=list(changes))
        self.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(edit, f"{NAME}: {rule}"))


def _diagnostic(mark: Mark, document: TextDocument) -> lsp.Diagnostic:
    text = document.lines[mark.line] if mark.line < len(document.lines) else ""
    units = document.position_codec.client_num_units
    start, end = units(text[: mark.start]), units(text[: mark.end])
    return lsp.Diagnostic(
        lsp.Range(lsp.Position(mark.line, start), lsp.Position(mark.line, end)),
        mark.message,
        _SEVERITY[mark.severity],
        mark.rule or None,
        source=NAME,
        related_information=[_related(at) for at in mark.related] or None,
    )


def _related(at: Location) -> lsp.DiagnosticRelatedInformation:
    path = os.path.abspath(at.path)
    line = max(at.line - 1, 0)
    where = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
    return lsp.DiagnosticRelatedInformation(lsp.Location(from_fs_path(path) or path, where), at.note or at.text.strip())


def _edits(lines: Sequence[LineEdit]) -> list[lsp.TextEdit | lsp.AnnotatedTextEdit | lsp.SnippetTextEdit]:
    return [lsp.TextEdit(lsp.Range(lsp.Position(one.first, 0), lsp.Position(one.end, 0)), one.text) for one in lines]
