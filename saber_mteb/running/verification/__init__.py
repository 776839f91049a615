"""Checks what is known of SABER-Math on the machine at hand: its data and its published scores."""

from __future__ import annotations

from saber_mteb.running.verification.checks import Check, Verdict
from saber_mteb.running.verification.expectations import Expectations, load_expectations
from saber_mteb.running.verification.verifying import verify

__all__ = ["Check", "Expectations", "Verdict", "load_expectations", "verify"]
