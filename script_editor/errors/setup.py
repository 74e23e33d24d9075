"""Exit 6: settings, key, store."""

from script_editor.errors.base import Language, ScriptEditorError


class SetupError(ScriptEditorError):
    """Something around the program must be put right first."""

    code = "setup"
    exit_code = 6

    def __init__(self, message: str, *, hint: str = ""):
        super().__init__(message)
        self.message, self._hint = message, hint

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint


class MissingSetting(SetupError):
    """A setting without which the model cannot be called."""

    code = "missing_setting"


class KeyRefused(SetupError):
    """The endpoint answered 401 or 403.

    `is_certain` says that it is about the key and nothing else (401): with 403 some services refuse a text.
    """

    code = "key_refused"

    def __init__(self, message: str, *, hint: str = "", is_certain: bool = False):
        super().__init__(message, hint=hint)
        self.is_certain = is_certain


class AccountEmpty(SetupError):
    """The endpoint takes the key, and no call: the money or the quota of its account is used up.

    `is_certain` says that the service named it by a code (402, `insufficient_quota`), and not in words alone, which
    may be those of the text that it was sent.
    """

    code = "account_empty"

    def __init__(self, message: str, *, hint: str = "", is_certain: bool = False):
        super().__init__(message, hint=hint)
        self.is_certain = is_certain


class ModelUnknown(SetupError):
    """The endpoint does not know this model, or the address is not a model service."""

    code = "model_unknown"


class BeyondOffline(SetupError):
    """The embedded offline model was asked for something that needs a writer.

    Its sentences are in `language`, that of the instruction.
    """

    code = "beyond_offline"

    def __init__(self, message: str, *, hint: str = "", language: Language | None = None):
        super().__init__(message, hint=hint)
        self.language = language


class MissingExtra(SetupError):
    """A command needs packages that an extra of this program installs."""

    code = "missing_extra"

    def __init__(self, extra: str, *, what: str):
        super().__init__(
            f"{what} needs packages that are not installed.",
            hint=f"They are the extra script-editor[{extra}]; in its folder: pipx install --force '.[{extra}]', "
            f"or in a virtual environment: pip install '.[{extra}]'",
        )
        self.extra = extra


class StoreUnusable(SetupError):
    """The store cannot be opened or written."""

    code = "store_unusable"


class StoreLocked(StoreUnusable):
    """Another process did not let go of the store in time; nothing is wrong with it, and nothing was written."""

    code = "store_locked"


class StoreUnreachable(StoreUnusable):
    """The server of the store does not answer, or takes no further connection; it may do so later."""

    code = "store_unreachable"


class StoreFull(SetupError):
    """The disk or the database quota is full; the write was rolled back."""

    code = "store_full"


OF_THE_STORE = (StoreUnusable, StoreFull)
"""Errors that are about where things are kept, not about what was done: it may go well the next time."""


class StoreDamaged(SetupError):
    """The stored history does not fit together; nothing was changed."""

    code = "store_damaged"


class SchemaTooNew(SetupError):
    """The store was made by a newer program; it is left untouched."""

    code = "schema_too_new"


class SchemaTooOld(SetupError):
    """The store is of an older revision and must be upgraded by hand."""

    code = "schema_too_old"
