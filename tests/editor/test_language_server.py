"""The language server, asked by a real client over standard input and output as an editor does."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

types = pytest.importorskip("lsprotocol.types", reason="the language server needs pip install -e '.[lsp]'")

from pygls.lsp.client import LanguageClient  # noqa: E402

pytestmark = pytest.mark.lsp

BASE = Path(__file__).parents[2] / "roce_audit" / "platforms" / "eos" / "examples" / "base"
LEAF = (BASE / "leaf1.cfg").read_text()
FAR = (BASE / "leaf2.cfg").read_text()
SECONDS = 60.0


class Editor(LanguageClient):
    """What an editor keeps: the last diagnostics of each file, the messages, the changes that it was asked to make."""

    def __init__(self) -> None:
        super().__init__("test", "1")
        self.news: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.edits: asyncio.Queue[types.WorkspaceEdit] = asyncio.Queue()
        self.messages: asyncio.Queue[str] = asyncio.Queue()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: types.PublishDiagnosticsParams) -> None:
            self.news.put_nowait(params)

        @self.feature(types.WORKSPACE_APPLY_EDIT)
        def _(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.put_nowait(params.edit)
            return types.ApplyWorkspaceEditResult(True)

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def _(params: types.ShowMessageParams) -> None:
            self.messages.put_nowait(params.message)

    async def diagnostics(self) -> list[types.Diagnostic]:
        """What the server says next."""
        return list((await asyncio.wait_for(self.news.get(), SECONDS)).diagnostics)

    def open(self, file: Path, text: str) -> None:
        self.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(file.as_uri(), "cfg", 1, text))
        )

    def change(self, file: Path, version: int, text: str) -> None:
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, file.as_uri()),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )


def in_editor(folder: Path, work: Callable[[Editor], Awaitable[None]]) -> None:
    """Start the server in another folder, as editors do, do the work, and leave."""

    async def session() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "roce_audit", "lsp")
        where = types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri())
        await asyncio.wait_for(editor.initialize_async(where), SECONDS)
        editor.initialized(types.InitializedParams())
        await work(editor)
        await asyncio.wait_for(editor.shutdown_async(None), SECONDS)
        editor.exit(None)
        await editor.stop()

    asyncio.run(session())


@pytest.fixture
def leaf(tmp_path: Path) -> Path:
    """A file of a small clean site: two leaves with links between them, and a policy."""
    shutil.copytree(BASE, tmp_path / "site")
    return tmp_path / "site" / "leaf1.cfg"


def line_of(text: str, wanted: str) -> int:
    return text.split("\n").index(wanted.rstrip("\n"))


def test_findings_come_and_go_with_the_text_in_the_editor(leaf: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open(leaf, LEAF)
        assert await editor.diagnostics() == []
        broken = LEAF.replace("   mtu 9214", "   mtu 1500", 1)
        editor.change(leaf, 2, broken)
        (found,) = await editor.diagnostics()
        assert (found.code, found.source, found.severity) == (
            "mtu/below-roce",
            "roce-audit",
            types.DiagnosticSeverity.Error,
        )
        assert found.range == types.Range(
            types.Position(line_of(broken, "   mtu 1500"), 3), types.Position(line_of(broken, "   mtu 1500"), 11)
        )
        assert "leaf1 Ethernet1/1" in found.message
        editor.change(leaf, 3, LEAF)
        assert await editor.diagnostics() == []

    in_editor(leaf.parent, work)
    assert leaf.read_text() == LEAF


def test_the_rule_is_explained_over_a_finding(leaf: Path) -> None:
    broken = LEAF.replace("   mtu 9214", "   mtu 1500", 1)
    at = types.TextDocumentIdentifier(leaf.as_uri())

    async def work(editor: Editor) -> None:
        editor.open(leaf, broken)
        assert await editor.diagnostics()
        line = line_of(broken, "   mtu 1500")
        hover = await editor.text_document_hover_async(types.HoverParams(at, types.Position(line, 5)))
        assert "**mtu/below-roce**" in hover.contents.value
        assert "Source: " in hover.contents.value
        elsewhere = await editor.text_document_hover_async(types.HoverParams(at, types.Position(0, 0)))
        assert elsewhere is None

    in_editor(leaf.parent, work)


def test_the_proved_change_is_made_in_the_editor(leaf: Path) -> None:
    broken = LEAF.replace("   mtu 9214", "   mtu 1500", 1)

    async def work(editor: Editor) -> None:
        editor.open(leaf, broken)
        found = await editor.diagnostics()
        at = types.TextDocumentIdentifier(leaf.as_uri())
        (action,) = await editor.text_document_code_action_async(
            types.CodeActionParams(at, found[0].range, types.CodeActionContext(found))
        )
        assert "proved fix of mtu/below-roce" in action.title
        assert "roce-audit.fix" in str(
            action.command
        )  # the client of the test takes every action with a command for one
        await editor.workspace_execute_command_async(
            types.ExecuteCommandParams("roce-audit.fix", arguments=[leaf.as_uri(), "mtu/below-roce"])
        )
        edit = await asyncio.wait_for(editor.edits.get(), SECONDS)
        (of_file,) = edit.document_changes
        assert (of_file.text_document.uri, of_file.text_document.version) == (leaf.as_uri(), 1)
        assert [e.new_text for e in of_file.edits] == ["   mtu 9214\n"]
        assert of_file.edits[0].range.start == types.Position(line_of(broken, "   mtu 1500"), 0)

    in_editor(leaf.parent, work)


def test_a_policy_that_does_not_hold_is_no_clean_file(leaf: Path) -> None:
    policy = leaf.with_name("roce-audit.yaml")
    good = policy.read_text()
    policy.write_text("roce: {dcsp: [26]}\n")

    async def work(editor: Editor) -> None:
        editor.open(leaf, LEAF)
        (found,) = await editor.diagnostics()
        assert "not judged: " in found.message
        assert "roce-audit.yaml:1" in found.message
        policy.write_text(good)
        editor.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(policy.as_uri())))
        assert await editor.diagnostics() == []
        editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(leaf.as_uri())))
        assert await editor.diagnostics() == []

    in_editor(leaf.parent, work)


def test_a_file_that_is_not_saved_is_no_clean_file(leaf: Path) -> None:
    async def work(editor: Editor) -> None:
        new = leaf.with_name("new.cfg")
        editor.open(new, LEAF)
        (found,) = await editor.diagnostics()
        assert (found.message, found.severity) == (
            "not judged: no file of this name is saved",
            types.DiagnosticSeverity.Information,
        )
        new.write_text(LEAF.replace("leaf1", "leaf3"))
        editor.change(new, 2, LEAF.replace("leaf1", "leaf3"))
        assert "not judged" not in str(await editor.diagnostics())
        new.unlink()  # moved while it is open
        editor.change(new, 3, LEAF)
        (found,) = await editor.diagnostics()
        assert "not judged" in found.message

    in_editor(leaf.parent, work)


def lower_mtu(text: str, port: str) -> str:
    head, between, rest = text.partition(f"interface {port}\n")
    return head + between + rest.replace("mtu 9214", "mtu 9000", 1)


def test_the_folder_is_context_and_open_files_count_as_they_stand(leaf: Path) -> None:
    """The MTU of the far end is another file's, changed in the editor and not saved."""
    other = leaf.with_name("leaf2.cfg")

    async def work(editor: Editor) -> None:
        editor.open(leaf, LEAF)
        assert await editor.diagnostics() == []
        editor.open(other, lower_mtu(FAR, "Ethernet1/5"))
        (found,) = await editor.diagnostics()
        assert found.code == "mtu/receiver-below-sender"
        assert leaf.as_uri() in {at.location.uri for at in found.related_information}
        editor.change(leaf, 2, lower_mtu(LEAF, "Ethernet1/5"))
        editor.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(other.as_uri())))
        assert [await editor.diagnostics(), await editor.diagnostics()] == [[], []]

    in_editor(leaf.parent, work)
