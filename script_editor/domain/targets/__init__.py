"""How long a script is wanted to be, as a person says it."""

from script_editor.domain.targets.target import DurationTarget as DurationTarget
from script_editor.domain.targets.target import parse_target as parse_target
from script_editor.domain.targets.target import target_in as target_in
