"""What the page is made of."""

import deposit
import lending
import things

PARTS = (things, lending, deposit)
