"""Every error this program raises on purpose, and who may see it.

ScriptEditorError                       exit 1
├─ BadInput                             exit 2   what was typed or read cannot be used
│   ├─ BadText · TooLarge               a text that the store refuses, with the position
│   ├─ BadScriptId · BadReference       an id, or an `ID@version`, that cannot be one
│   ├─ BadInstruction · BadFile         an instruction or a file that cannot be used
│   └─ BadRow · BadRows                 a row of a list of work, or the whole list; told in either language
├─ NotFound            (for the model)  exit 3
│   └─ ScriptNotFound · VersionNotFound · ProposalNotFound · LockNotFound · ChatNotFound · LogNotFound · BatchNotFound
├─ EditRefused         (for the model)  exit 4   a guard said no; `reason` is one of REASONS
├─ Conflict            (for the model)  exit 5   the script moved, or is in the way
│   ├─ StaleHead · StaleProposal · Overtaken · MergeConflict     written meanwhile; two are of a proposal and of an item
│   └─ ScriptExists · EditedSinceImport · ScriptArchived · ProposalClosed
├─ SetupError                           exit 6   settings, key, store, missing extra
│   ├─ MissingExtra · MissingSetting · KeyRefused · AccountEmpty · ModelUnknown · BeyondOffline
│   └─ StoreUnusable (StoreLocked, StoreUnreachable) · StoreFull · StoreDamaged · SchemaTooNew · SchemaTooOld
├─ ModelFailure                         exit 7   the model service failed after retries
│   └─ Unreachable                      no connection to it could be made
├─ BudgetReached                        exit 8   tokens, time or money were used up
│   └─ BudgetShort                      the budget of a batch does not cover its next call
├─ GaveUp                               exit 9   the run ended without the edit
├─ BatchTroubled                        exit 10  a batch ended with failures
├─ Unfinished                           its cause's exit code   part of a long edit is kept as a proposal
└─ Declined                             exit 11  a person said no
    └─ Objected        (for the model)           and said why, so that the agent may try again

`for_model` errors are turned into an observation, because the model can repair its call; all others
end the run. `code` is the stable name in `--json`. An error keeps its objects and builds its sentence
in `__str__`: what happened, to what, and (`hint`) what to do next. Errors never hold a key.
"""

from script_editor.errors.base import Language as Language
from script_editor.errors.base import ScriptEditorError as ScriptEditorError
from script_editor.errors.conflicts import Conflict as Conflict
from script_editor.errors.conflicts import EditedSinceImport as EditedSinceImport
from script_editor.errors.conflicts import MergeConflict as MergeConflict
from script_editor.errors.conflicts import Overtaken as Overtaken
from script_editor.errors.conflicts import ProposalClosed as ProposalClosed
from script_editor.errors.conflicts import ScriptArchived as ScriptArchived
from script_editor.errors.conflicts import ScriptExists as ScriptExists
from script_editor.errors.conflicts import StaleHead as StaleHead
from script_editor.errors.conflicts import StaleProposal as StaleProposal
from script_editor.errors.endings import BatchTroubled as BatchTroubled
from script_editor.errors.endings import BudgetReached as BudgetReached
from script_editor.errors.endings import BudgetShort as BudgetShort
from script_editor.errors.endings import Declined as Declined
from script_editor.errors.endings import GaveUp as GaveUp
from script_editor.errors.endings import ModelFailure as ModelFailure
from script_editor.errors.endings import Objected as Objected
from script_editor.errors.endings import Unfinished as Unfinished
from script_editor.errors.endings import Unreachable as Unreachable
from script_editor.errors.inputs import BadFile as BadFile
from script_editor.errors.inputs import BadInput as BadInput
from script_editor.errors.inputs import BadInstruction as BadInstruction
from script_editor.errors.inputs import BadReference as BadReference
from script_editor.errors.inputs import BadRow as BadRow
from script_editor.errors.inputs import BadRows as BadRows
from script_editor.errors.inputs import BadScriptId as BadScriptId
from script_editor.errors.inputs import BadText as BadText
from script_editor.errors.inputs import TooLarge as TooLarge
from script_editor.errors.missing import BatchNotFound as BatchNotFound
from script_editor.errors.missing import ChatNotFound as ChatNotFound
from script_editor.errors.missing import LockNotFound as LockNotFound
from script_editor.errors.missing import LogNotFound as LogNotFound
from script_editor.errors.missing import NotFound as NotFound
from script_editor.errors.missing import ProposalNotFound as ProposalNotFound
from script_editor.errors.missing import ScriptNotFound as ScriptNotFound
from script_editor.errors.missing import VersionNotFound as VersionNotFound
from script_editor.errors.refused import REASONS as REASONS
from script_editor.errors.refused import EditRefused as EditRefused
from script_editor.errors.setup import OF_THE_STORE as OF_THE_STORE
from script_editor.errors.setup import AccountEmpty as AccountEmpty
from script_editor.errors.setup import BeyondOffline as BeyondOffline
from script_editor.errors.setup import KeyRefused as KeyRefused
from script_editor.errors.setup import MissingExtra as MissingExtra
from script_editor.errors.setup import MissingSetting as MissingSetting
from script_editor.errors.setup import ModelUnknown as ModelUnknown
from script_editor.errors.setup import SchemaTooNew as SchemaTooNew
from script_editor.errors.setup import SchemaTooOld as SchemaTooOld
from script_editor.errors.setup import SetupError as SetupError
from script_editor.errors.setup import StoreDamaged as StoreDamaged
from script_editor.errors.setup import StoreFull as StoreFull
from script_editor.errors.setup import StoreLocked as StoreLocked
from script_editor.errors.setup import StoreUnreachable as StoreUnreachable
from script_editor.errors.setup import StoreUnusable as StoreUnusable
