"""What the page is made of."""

import lending
import things

PARTS = (things, lending)
