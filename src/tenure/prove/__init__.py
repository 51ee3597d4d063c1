"""Proofs: evidence that a task's checks are right, before they judge anyone."""

from tenure.prove.proof import prove
from tenure.prove.record import ProofRecord, RuleFinding, Tier, proof_key, stored_proof

__all__ = ["ProofRecord", "RuleFinding", "Tier", "proof_key", "prove", "stored_proof"]
