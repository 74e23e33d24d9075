"""Edits that name other lines than the person did: what they change there is left out, where the rest stands without it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from script_editor.domain.edits import resolve
from script_editor.domain.intent import read_intent
from script_editor.domain.operations import (
    Delete,
    InsertAfter,
    InsertBefore,
    Move,
    Operation,
    Plan,
    Substitute,
)
from script_editor.domain.segments import NumberedScript


def limited(plan: Plan, script: NumberedScript, targets: Sequence[int], instruction: str) -> Plan:
    """Return a plan without its changes of other lines than `targets`, with a note; as it is when they cannot be parted.

    They cannot where nothing else is left, or where text may have gone from one line to another: a line of
    others that goes, or one of the targets that goes though nobody asked for less.

    Raises:
        EditRefused: the plan cannot be carried out as a whole (see `resolve`).
    """
    resolve(script, plan)
    own = set(targets)
    kept = tuple(part for operation in plan.operations for part in _on(operation, script, own))
    if kept == plan.operations or not kept:
        return plan
    gone = [operation for operation in plan.operations if not any(_on(operation, script, own))]
    is_unasked = not read_intent(instruction).removal and any(isinstance(each, Delete) for each in kept)
    if any(isinstance(operation, Delete | Move) for operation in gone) or (gone and is_unasked):
        return plan
    is_restored = bool(gone) or any(_is_narrowed(operation, script, own) for operation in plan.operations)
    return replace(
        plan, operations=kept, notes=(*plan.notes, *(restored_note(instruction) if is_restored else ()))
    )


def restored_note(instruction: str) -> tuple[str, ...]:
    """Return the note for the person that other lines were kept as they were, in the language of the instruction."""
    if any("\u3400" <= char <= "\u9fff" for char in instruction):
        return ("模型还改了指定范围以外的行，这些行保持原样。",)
    return ("The model changed other lines too; they were kept as they were.",)


def _on(operation: Operation, script: NumberedScript, own: set[int]) -> Iterator[Operation]:
    """Yield what of an operation is on the lines, or directly beside them."""
    match operation:
        case Substitute(id=None):
            holding = _holding(operation, script)
            if holding <= own:
                yield operation
            else:
                for number in sorted(holding & own):
                    yield replace(operation, id=script.segment(number).id)
        case InsertBefore(text=text):
            number = _number(operation.id, script)
            if number in own:
                yield operation
            elif number - 1 in own:
                yield InsertAfter(script.segment(number - 1).id, text)
        case InsertAfter(text=text):
            number = _number(operation.id, script)
            if number in own:
                yield operation
            elif number + 1 in own:
                yield InsertBefore(script.segment(number + 1).id, text)
        case Move(before=before, after=after):
            if all(_number(id, script) in own for id in (operation.id, before, after) if id is not None):
                yield operation
        case _:
            if operation.id is not None and _number(operation.id, script) in own:
                yield operation


def _number(id: str, script: NumberedScript) -> int:
    return script.resolve_reference(id).number


def _holding(operation: Substitute, script: NumberedScript) -> set[int]:
    return {segment.number for segment in script.segments if operation.find in segment.content}


def _is_narrowed(operation: Operation, script: NumberedScript, own: set[int]) -> bool:
    return (
        isinstance(operation, Substitute) and operation.id is None and not _holding(operation, script) <= own
    )
