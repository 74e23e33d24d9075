"""Which part of a script a person means, in an option or in an instruction."""

from script_editor.domain.places.naming import named_in as named_in
from script_editor.domain.places.naming import parse_place as parse_place
from script_editor.domain.places.objects import object_lines as object_lines
from script_editor.domain.places.wholeness import is_whole as is_whole
