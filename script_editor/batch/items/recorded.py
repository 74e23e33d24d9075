"""What a model call came to, as plain JSON and back: replies and failures alike, and nothing of them is lost.

A replay has to fail where the first try failed, with the same error: a refused feature decides what is asked next,
and the sentence of a failure is what a person reads of the item.
"""

from dataclasses import asdict
from typing import Any, cast

from script_editor.batch.engine import Json
from script_editor.errors import (
    AccountEmpty,
    BeyondOffline,
    BudgetReached,
    EditRefused,
    KeyRefused,
    MissingSetting,
    ModelFailure,
    ModelUnknown,
    ScriptEditorError,
    SetupError,
)
from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import FinishReason, Reply, ToolCall, Usage
from script_editor.llm.failures import FeatureRefused

_SETUP: dict[str, type[SetupError]] = {
    kind.__name__: kind for kind in (KeyRefused, AccountEmpty, ModelUnknown, MissingSetting, SetupError)
}


def written(result: Reply | ScriptEditorError) -> Json:
    """Return a reply or a failure as JSON values. Raises the failure itself where no model call ends so."""
    return {"reply": asdict(result)} if isinstance(result, Reply) else {"failure": _failure_written(result)}


def read(kept: Json) -> Reply | ScriptEditorError:
    """Return what `written` was given."""
    match kept:
        case {"failure": failure}:
            return _failure(failure)
        case {"reply": reply}:
            return _reply(reply)
        case _:
            raise AssertionError(f"a model call is kept as a reply or a failure, not as {str(kept)[:80]}")


def _reply(kept: dict[str, Any]) -> Reply:
    return Reply(
        text=kept["text"],
        tool_calls=tuple(ToolCall(**call) for call in kept["tool_calls"]),
        finish_reason=cast(FinishReason, kept["finish_reason"]),
        refusal=kept["refusal"],
        usage=Usage(**kept["usage"]),
        model=kept["model"],
        message=kept["message"],
    )


def _failure_written(failure: ScriptEditorError) -> Json:
    about: dict[str, Any] = {"message": str(failure), "hint": failure.hint, "language": failure.language}
    match failure:
        case FeatureRefused(feature=feature):
            return {"kind": "FeatureRefused", **about, "feature": feature}
        case ModelFailure(retryable=retryable, retry_after=retry_after, may_cost=may_cost):
            chances = {"retryable": retryable, "retry_after": retry_after, "may_cost": may_cost}
            return {"kind": "ModelFailure", **about, **chances}
        case BudgetReached(kind=kind):
            return {"kind": "BudgetReached", **about, "of": kind}
        case BeyondOffline():
            return {"kind": "BeyondOffline", **about}
        case EditRefused():
            return {"kind": "EditRefused", **about, **_refusal_written(failure)}
        case SetupError():
            name = type(failure).__name__
            return {"kind": name if name in _SETUP else "SetupError", **about}
        case _:
            raise failure  # no model call ends so, and what cannot be read back must not be kept


def _refusal_written(refusal: EditRefused) -> Json:
    return {
        "message": refusal.message,
        "reason": refusal.reason,
        "segments": refusal.segments,
        "nearest": refusal.nearest,
        "advice": refusal.advice,
        "example": refusal.example,
        "was": refusal.was,
        "kept": refusal.kept,
        "proposal_id": refusal.proposal_id,
    }


def _failure(kept: dict[str, Any]) -> ScriptEditorError:
    message, hint, language = kept["message"], kept["hint"], kept["language"]
    match kept["kind"]:
        case "FeatureRefused":
            return FeatureRefused(message, feature=cast(Feature, kept["feature"]), hint=hint)
        case "ModelFailure":
            chances = {name: kept[name] for name in ("retryable", "retry_after", "may_cost")}
            return ModelFailure(message, **chances, hint=hint)
        case "BudgetReached":
            return BudgetReached(message, kind=kept["of"], language=language)
        case "BeyondOffline":
            return BeyondOffline(message, hint=hint, language=language)
        case "EditRefused":
            fields = {name: kept[name] for name in _REFUSAL_FIELDS}
            return EditRefused(kept["reason"], message, **fields, language=language)
        case kind:
            return _SETUP[kind](message, hint=hint)


_REFUSAL_FIELDS = ("segments", "nearest", "advice", "example", "was", "kept", "proposal_id")
