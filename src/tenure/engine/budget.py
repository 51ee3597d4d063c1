"""Money: what turns cost, and when an attempt's or a run's budget stops them."""

from pathlib import Path

from inspect_ai.model import ModelCost, ModelUsage, get_model_info

from tenure.engine.plan import LEDGER
from tenure.engine.spec import Price, RunSpec
from tenure.engine.usual import STAND_IN
from tenure.schema import BadInput, Ending


def price_of(spec: RunSpec) -> ModelCost | None:
    """What the run's model costs, from the command line or the engine's price list.

    Raises:
        BadInput: A budget is set and no price is known.
    """
    cost = priced(spec.model, spec.price)
    if cost is None and (spec.max_cost or spec.max_attempt_cost):
        raise BadInput(
            f"no price is known for {spec.model}, so a budget cannot be kept; give --price INPUT/OUTPUT "
            "in dollars per million tokens"
        )
    return cost


def priced(model: str, given: Price | None = None) -> ModelCost | None:
    """What a model costs: as given, or by the engine's price list; stand-ins cost nothing."""
    if model.startswith(STAND_IN):
        return ModelCost(input=0, output=0, input_cache_write=0, input_cache_read=0)
    if given is not None:
        read = given.input
        return ModelCost(input=read, output=given.output, input_cache_write=read, input_cache_read=read)
    info = get_model_info(model)
    return info.cost if info else None


class Purse:
    """Money of a run, shared by its attempts. Every turn is written to a ledger.

    What a killed run or an attempt that is made again has spent stays spent.
    """

    def __init__(
        self,
        price: ModelCost | None,
        ledger: Path,
        *,
        limit: float | None = None,
        attempt_limit: float | None = None,
    ) -> None:
        """Open a purse.

        Args:
            price: What the model costs, if that is known.
            ledger: File with a line, in dollars, for each turn paid so far.
            limit: Dollars for the whole run.
            attempt_limit: Dollars for one attempt.
        """
        self.price, self.limit, self.attempt_limit = price, limit, attempt_limit
        self._ledger = ledger
        # A killed run may have left half a last line.
        paid = ledger.read_text().splitlines(keepends=True) if ledger.exists() else []
        self.spent = sum(float(line) for line in paid if line.endswith("\n"))

    @classmethod
    def of_run(cls, spec: RunSpec, folder: Path) -> "Purse":
        """What the agents of a run draw on.

        Raises:
            BadInput: A budget is set and no price is known.
        """
        limits = {"limit": spec.max_cost, "attempt_limit": spec.max_attempt_cost}
        return cls(price_of(spec), folder / LEDGER, **limits)

    def pay(self, cost: float) -> None:
        """Take a turn's cost out of the purse."""
        self.spent += cost
        if cost:
            with self._ledger.open("a") as ledger:
                ledger.write(f"{cost!r}\n")

    @property
    def empty(self) -> bool:
        """Whether the run's budget is used up."""
        return self.limit is not None and self.spent >= self.limit


class Budget:
    """One attempt's money."""

    def __init__(self, purse: Purse) -> None:
        """Draw on a purse."""
        self._purse = purse
        self.spent = 0.0

    def spend(self, usage: ModelUsage) -> float | None:
        """Add a turn's cost; returns the attempt's cost so far, ``None`` when no price is known."""
        price = self._purse.price
        if price is None:
            return None
        cost = (
            usage.input_tokens * price.input
            + usage.output_tokens * price.output
            + (usage.input_tokens_cache_write or 0) * price.input_cache_write
            + (usage.input_tokens_cache_read or 0) * price.input_cache_read
        ) / 1_000_000
        self.spent += cost
        self._purse.pay(cost)
        return self.spent

    def stops(self) -> Ending | None:
        """The ending that the money forces before the next turn, if it forces one."""
        limit = self._purse.attempt_limit
        if limit is not None and self.spent >= limit:
            return Ending.OVER_ATTEMPT_BUDGET
        return Ending.OVER_RUN_BUDGET if self._purse.empty else None
