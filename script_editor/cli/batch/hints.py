"""What can be done next with a batch: only commands that have something to do. Values in, lines out."""

from script_editor.cli.batch.sentences import told_in
from script_editor.domain.batches import TROUBLED, Batch, Takeable, Tally
from script_editor.errors import BudgetShort, Language


def next_steps(
    tally: Tally, takeable: Takeable, language: Language, *, short: BudgetShort | None = None
) -> list[str]:
    """Return the commands that go on from here: only those that have something to do; `short` is what the budget of
    the batch lacks, where that is known."""
    batch = tally.batch
    steps = []
    if batch.state == "planned":
        steps.append(_step("Look at it", "逐项查看", f"export {batch.id}", language))
        steps.append(_step("Run it", "运行", f"run {batch.id}", language))
    if batch.state in ("paused", "cancelled") and (tally.left or tally.count("cancelled")):
        steps.append(_going_on(batch, language) if short is None else told_in(short, language).hint)
    if tally.count(*TROUBLED):
        steps.append(_step("See why", "查看原因", f"failures {batch.id}", language))
        if batch.state != "running":
            steps.append(try_again(batch.id, language))
    return steps if batch.state == "running" else [*steps, *_takings(batch.id, takeable, language)]


def _going_on(batch: Batch, language: Language) -> str:
    budget = batch.bounds.budget
    if (batch.state, batch.pause_reason) != ("paused", "budget") or budget is None:
        return go_on(batch.id, language)
    command = f"resume {batch.id} --budget {2 * budget:.12g}"
    return _step("Go on, with twice the budget", "续跑（预算加倍）", command, language)


def _takings(batch_id: str, takeable: Takeable, language: Language) -> list[str]:
    steps = []
    if takeable.clean:
        steps.append(
            _step("Save the clean ones", "保存没有问题的提案", f"apply {batch_id} --clean", language)
        )
    elif takeable.warned:
        steps.append(
            _step("Save those with warnings, too", "有警告的提案也保存", f"apply {batch_id}", language)
        )
    if takeable.saved:
        steps.append(_step("Undo", "全部撤回", f"revert {batch_id}", language))
    return steps


def try_again(batch_id: str, language: Language) -> str:
    """Return how what went wrong is tried again."""
    return _step("Again", "重试", f"retry {batch_id}", language)


def go_on(batch_id: str, language: Language) -> str:
    """Return how a batch that stands still is gone on with."""
    return _step("Go on", "续跑", f"resume {batch_id}", language)


def meanwhile(batch_id: str, language: Language) -> list[str]:
    """Return what can be done with a batch that runs."""
    return [
        _step("Watch it", "查看进度", f"watch {batch_id}", language),
        _step("Cancel it", "取消", f"cancel {batch_id}", language),
    ]


def _step(en: str, zh: str, command: str, language: Language) -> str:
    return (
        f"{zh}：script-editor batch {command}" if language == "zh" else f"{en}: script-editor batch {command}"
    )
