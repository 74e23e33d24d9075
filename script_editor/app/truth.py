"""What a run changed, in sentences that the program states and a model cannot."""

from script_editor.app.proposals import Review
from script_editor.app.scope import Ledger
from script_editor.domain.script import Version
from script_editor.errors import Language


def truth(ledger: Ledger, language: Language) -> str:
    """Return one or two sentences: which scripts have a new version, and which proposals are kept unsaved."""
    zh = language == "zh"
    moved = [
        f"{script_id} v{versions[0].parent_number} → v{versions[-1].number}"
        for script_id, versions in ledger.saved_by_script.items()
    ]
    open_ones = [
        f"{review.proposal.id}（{review.base.script_id}）"
        if zh
        else f"{review.proposal.id} ({review.base.script_id})"
        for review in ledger.kept
    ]
    if zh:
        saved = f"已修改：{'；'.join(moved)}。" if moved else "没有任何改动。"
        return saved + (f"提案还没有保存：{'、'.join(open_ones)}。" if open_ones else "")
    saved = f"Changed: {'; '.join(moved)}." if moved else "Nothing was changed."
    return saved + (f" Proposed, not saved: {', '.join(open_ones)}." if open_ones else "")


def facts(ledger: Ledger, language: Language) -> tuple[str, ...]:
    """Return one sentence for each version that was saved and each proposal that is kept, for a later turn."""
    return (
        *(_version_fact(version, language) for version in ledger.saved),
        *(_proposal_fact(review, language) for review in ledger.kept),
    )


def _version_fact(version: Version, language: Language) -> str:
    was, now, back = f"v{version.parent_number}", f"v{version.number}", version.restored_number
    if language == "zh":
        how = f"，恢复了 v{back} 的内容" if back else ""
        return f"{version.script_id} {was} → {now} 已保存{how}。"
    how = f", with the text of v{back}" if back else ""
    return f"{version.script_id} {was} → {now} was saved{how}."


def _proposal_fact(review: Review, language: Language) -> str:
    name, base, count = (
        review.proposal.id,
        f"{review.base.script_id} v{review.base.number}",
        len(review.changes),
    )
    if language == "zh":
        return f"提案 {name}（基于 {base}，{count} 处改动）还没有保存。"
    return f"Proposal {name} (over {base}, {count} change{'' if count == 1 else 's'}) is not saved."
