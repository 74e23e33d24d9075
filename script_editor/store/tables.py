"""Every table of the store, by its row.

This is the wanted shape; `migrations/` holds the way there, and a test compares the two. The program itself
imports the modules of `store.schema` that it needs.
"""

from script_editor.store.schema.base import Row as Row
from script_editor.store.schema.batches import BatchRow as BatchRow
from script_editor.store.schema.batches import BucketRow as BucketRow
from script_editor.store.schema.batches import CountRow as CountRow
from script_editor.store.schema.batches import ItemRow as ItemRow
from script_editor.store.schema.batches import PermitRow as PermitRow
from script_editor.store.schema.batches import WorkerRow as WorkerRow
from script_editor.store.schema.chats import ChatRow as ChatRow
from script_editor.store.schema.chats import MessageRow as MessageRow
from script_editor.store.schema.locks import LockRow as LockRow
from script_editor.store.schema.meta import StoreMetaRow as StoreMetaRow
from script_editor.store.schema.proposals import ProposalRow as ProposalRow
from script_editor.store.schema.refusals import RefusalRow as RefusalRow
from script_editor.store.schema.runs import RunRow as RunRow
from script_editor.store.schema.runs import StepRow as StepRow
from script_editor.store.schema.scripts import BlobRow as BlobRow
from script_editor.store.schema.scripts import ScriptRow as ScriptRow
from script_editor.store.schema.scripts import VersionRow as VersionRow
