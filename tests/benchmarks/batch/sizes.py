"""How much is measured. The full sizes are 2,000 and 100,000; left alone, it is over in minutes."""

import os

ITEMS = int(os.environ.get("SCRIPT_EDITOR_BENCH_ITEMS", "320"))
"""So many scripts are edited."""
PLANNED = int(os.environ.get("SCRIPT_EDITOR_BENCH_PLANNED", "10000"))
"""So many scripts are planned, and a tenth of it beside."""
A_TENTH = PLANNED // 10
