"""SABER-Math inside MTEB: tasks, model metadata, registration. The only package that uses mteb."""

from saber_mteb._mteb._plugin import register

__all__ = ["register"]
