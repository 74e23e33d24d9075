"""What of a script must survive every edit, by its text and not by its place."""

from script_editor.domain.locks.lock import Lock as Lock
from script_editor.domain.locks.lock import LockKind as LockKind
from script_editor.domain.locks.lock import keep as keep
from script_editor.domain.locks.lock import marked as marked
from script_editor.domain.locks.lock import missing as missing
from script_editor.domain.locks.lock import violations as violations
