"""Numbers as people write them in an instruction, under the names that the offline grammar uses."""

from script_editor.domain.counting import EN, EN_ORDINAL, ZH
from script_editor.domain.counting import count_of as value

__all__ = ["EN", "EN_ORDINAL", "ZH", "value"]
