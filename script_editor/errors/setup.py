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
    """The endpoint answered 401 or 403."""

    code = "key_refused"


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
            hint=f"Install them: pip install 'script-editor[{extra}]'",
        )
        self.extra = extra


class StoreUnusable(SetupError):
    """The store cannot be opened or written."""

    code = "store_unusable"


class StoreFull(SetupError):
    """The disk or the database quota is full; the write was rolled back."""

    code = "store_full"


class StoreDamaged(SetupError):
    """The stored history does not fit together; nothing was changed."""

    code = "store_damaged"


class SchemaTooNew(SetupError):
    """The store was made by a newer program; it is left untouched."""

    code = "schema_too_new"


class SchemaTooOld(SetupError):
    """The store is of an older revision and must be upgraded by hand."""

    code = "schema_too_old"
