"""What is true of the whole store."""

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import Row


class StoreMetaRow(Row, table=True):
    """What is true of the whole store: its id and the rules by which it was made."""

    __tablename__ = "store_meta"

    key: str = Field(primary_key=True, max_length=64)
    value: str = Field(sa_type=sa.Text)
