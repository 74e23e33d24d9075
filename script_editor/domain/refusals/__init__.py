"""Refusals told to people and models, in Chinese and English."""

from script_editor.domain.refusals.wording import MAX_CHARS as MAX_CHARS
from script_editor.domain.refusals.wording import Audience as Audience
from script_editor.domain.refusals.wording import explain as explain
from script_editor.domain.refusals.wording import finding_sentence as finding_sentence
from script_editor.domain.refusals.wording import for_model as for_model
from script_editor.domain.refusals.wording import worded as worded
