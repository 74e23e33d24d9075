"""The services over a store that is not the one in the settings: what a run writes, it writes there."""

from pathlib import Path
from typing import Any, cast

from script_editor.app.edit import EditRequest, edit_script
from script_editor.app.services import Services
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import Proposal
from script_editor.offline.model import OfflineModel
from script_editor.offline.rewriter import OfflineRewriter
from tests.support.desk import SEED, desk


class HeldProposals:
    """Reads a store, and keeps the proposals that are made over it to itself."""

    def __init__(self, store: ScriptStore):
        self._store = store
        self.proposed: list[str] = []

    def save_proposal(self, script_id: str, text: str, **more: Any) -> Proposal:
        self.proposed.append(text)
        return Proposal(
            id=f"p-{len(self.proposed)}", script_id=script_id, text=text, created_at=self._store.head(script_id).created_at,
            status="pending", **more,
        )  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_an_edit_over_another_store_leaves_the_first_as_it_was(tmp_path: Path) -> None:
    there = desk(tmp_path)
    held = HeldProposals(there.app.store)
    request = EditRequest(
        script_id="video_001", instruction="把“频道”改成“直播间”", author="tester", preview=True
    )

    report = edit_script(
        request,
        services=Services.over(cast(ScriptStore, held)),
        model=OfflineModel(),
        make_rewriter=lambda _model, _hooks: OfflineRewriter(),
        approve=lambda _pending: False,
    )

    assert report.outcome == "proposed"
    assert held.proposed == [SEED.replace("频道", "直播间")]
    assert there.app.store.proposals() == ()
    there.app.close()
