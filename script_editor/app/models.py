"""The model that the settings name, or the one that was given. With `bootstrap`, what names concrete classes."""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from script_editor.app.hooks import Hooks
    from script_editor.config import Settings
    from script_editor.domain.ports import Rewriter
    from script_editor.llm.chat import ChatModel
    from script_editor.llm.openai_chat import OpenAIChat
    from script_editor.llm.retry import OnWait

_RETRIES = 4
"""How often a request that failed for a reason that may pass is sent again."""


class Models:
    """Builds what talks to a model, when it is first asked for. `close` ends the connections."""

    def __init__(self, settings: "Settings", given: "ChatModel | None", on_wait: "OnWait | None"):
        self._settings, self._given, self._on_wait = settings, given, on_wait

    def close(self) -> None:
        """Close the connections that were opened."""
        for name in ("_patient", "_hasty"):
            if name in self.__dict__:  # cached_property: present once it was built
                self.__dict__[name].close()

    @cached_property
    def is_offline(self) -> bool:
        """Whether the embedded offline model is in use. Raises SetupError when settings clash."""
        return self._given is None and self._settings.endpoint() is None

    @property
    def name(self) -> str:
        """The name of the model, without building it where a service is named."""
        endpoint = None if self._given is not None else self._settings.endpoint()
        return self.usual.name if endpoint is None else endpoint.model

    @cached_property
    def usual(self) -> "ChatModel":
        """The model that was given, or the one that the settings name, which asks again by itself."""
        if self._given is not None:
            return self._given
        if self.is_offline:
            from script_editor.offline.model import OfflineModel  # late: not needed with a real model

            return OfflineModel()
        return self._patient

    @property
    def single_try(self) -> "ChatModel":
        """The same for a batch, which counts each try, and waits with all its workers."""
        return self.usual if self._given is not None or self.is_offline else self._hasty

    @property
    def address(self) -> str:
        """Where the model is, without a secret; "here" where no service is asked."""
        endpoint = None if self._given is not None or self.is_offline else self._settings.endpoint()
        if endpoint is None:
            return "here"
        from script_editor.llm.address import OFFICIAL_ADDRESS, read_address  # late: see `_connected`

        address = endpoint.base_url or OFFICIAL_ADDRESS
        return read_address(address, setting=endpoint.base_url_name).fingerprint

    def rewriter(self, model: "ChatModel", hooks: "Hooks | None" = None) -> "Rewriter":
        """Return what turns instructions into plans: the offline grammar, or `model`."""
        if self.is_offline:
            from script_editor.offline.rewriter import OfflineRewriter

            return OfflineRewriter()
        from script_editor.app.rewriter import LlmRewriter

        return LlmRewriter(model, hooks=hooks)

    @cached_property
    def _patient(self) -> "OpenAIChat":
        return self._connected(max_retries=_RETRIES)

    @cached_property
    def _hasty(self) -> "OpenAIChat":
        return self._connected(max_retries=0)

    def _connected(self, *, max_retries: int) -> "OpenAIChat":
        from script_editor.llm.capabilities import Capabilities  # late: needed with a real model only
        from script_editor.llm.failures import SettingNames
        from script_editor.llm.openai_chat import OpenAIChat  # late: importing openai takes half a second
        from script_editor.llm.retry import no_wait_told

        settings, endpoint = self._settings, self._settings.endpoint()
        assert endpoint is not None, "the offline model is used instead"
        return OpenAIChat(
            endpoint.model,
            api_key=endpoint.api_key,
            base_url=endpoint.base_url,
            timeout_seconds=settings.timeout_seconds,
            max_retries=max_retries,
            max_output_tokens=settings.max_output_tokens,
            capabilities=Capabilities(settings.state_folder / "capabilities.json"),
            on_wait=self._on_wait or no_wait_told,
            settings=SettingNames(
                key=endpoint.api_key_name, address=endpoint.base_url_name, model=endpoint.model_name
            ),
        )
