"""Which mode to talk in, by what a model may be asked for, and which one next when it refuses."""

from collections.abc import Collection, Mapping, Sequence

from script_editor.agent.modes import MODES
from script_editor.agent.modes.mode import Mode
from script_editor.llm.capabilities import Feature, features_of
from script_editor.llm.chat import ChatModel
from script_editor.llm.failures import FeatureRefused

AUTO = "auto"

_NEEDS: Mapping[str, Feature] = {"tools": "tools", "functions": "functions"}
"""What a mode cannot do without, by what it sends."""
_ABOUT: Mapping[str, Collection[Feature]] = {
    "tools": ("tools", "tool_choice"),
    "functions": ("functions", "tools", "tool_choice"),
}
"""What a service may call it when it refuses that."""
_NEXT: Mapping[str, Sequence[str]] = {"tools": ("react",), "functions": ("tools", "react")}
"""Where to go on, best first. Of the modes that need nothing but text it is `react`: every model that writes
can keep to it, while it is not known of any that it keeps to JSON."""


def chosen_mode(mode: Mode | str, model: ChatModel) -> Mode:
    """Return the mode to begin in: for "auto" `tools`, or `react` where the model is known to refuse tools.

    Any other name stands for itself. A model that says nothing of its features is taken to know tools.

    Raises:
        KeyError: there is no mode of that name.
    """
    if isinstance(mode, Mode):
        return mode
    if mode != AUTO:
        return MODES[mode]
    return MODES["tools"] if _takes(MODES["tools"], model) else MODES["react"]


def fallbacks_of(mode: Mode) -> tuple[Mode, ...]:
    """Return the modes to go on in when a service refuses what `mode` needs, best first."""
    return tuple(MODES[name] for name in _NEXT.get(mode.sends, ()))


def is_about(refused: FeatureRefused, mode: Mode) -> bool:
    """Whether what was refused is what `mode` rests on, so that another mode may do."""
    return refused.feature in _ABOUT.get(mode.sends, ())


def next_mode(fallbacks: Sequence[Mode], model: ChatModel) -> Mode | None:
    """Return the first of `fallbacks` that the model is not known to refuse."""
    return next((mode for mode in fallbacks if _takes(mode, model)), None)


def _takes(mode: Mode, model: ChatModel) -> bool:
    features = features_of(model)
    return mode.sends not in _NEEDS or not features or _NEEDS[mode.sends] in features
