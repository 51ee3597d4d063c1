"""What the page is made of."""

import things

PARTS = (things,)
