"""Outputs to metrics systems."""
