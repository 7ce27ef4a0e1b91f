"""Tests that run in a process of their own, because what they test can end a process or fill it."""
