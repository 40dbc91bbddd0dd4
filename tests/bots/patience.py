"""How long a searching bot may think in a test: as long as it likes.

What bounds it is then what it weighs, and a seed plays the same on a machine that is busy.
"""

from typing import Final

PATIENT: Final = 60_000.0  # ms
