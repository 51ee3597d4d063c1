"""Proofs: evidence that a task's checks are right, before they judge anyone."""

from tenure.prove.proof import Proof, prove
from tenure.prove.record import ProofRecord, RuleFinding, Tier, proof_key, stored_proof

__all__ = ["Proof", "ProofRecord", "RuleFinding", "Tier", "proof_key", "prove", "stored_proof"]
