"""The durable engine that ships: DBOS Transact, an embedded library that records workflows in a database.

An item is a DBOS workflow, a step a DBOS step, and the last transaction a transaction of a DBOS data source, so
that the store's rows and the record that they were written are committed together. What a workflow has done is
kept as JSON; its arguments are three short values, since the store holds everything else.

`engine` is what a batch knows; `steps` runs one item; `binding` alone speaks to DBOS.
"""

from script_editor.batch.dbos_engine.binding import SCHEMA as SCHEMA
from script_editor.batch.dbos_engine.engine import DbosEngine as DbosEngine
