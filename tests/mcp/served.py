"""Servers in processes of their own, on the loopback interface."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from services import VERSION

EXAMPLES = Path(__file__).parents[2] / "examples"
START_S, STOP_S, ANSWER_S, LIMIT_S = 60, 15, 20, 60
#: What a child needs to find the package that is under test.
ENVIRONMENT = {name: os.environ[name] for name in ("PYTHONPATH", "LD_PRELOAD", "ASAN_OPTIONS") if name in os.environ}


class Served:
    """A server that runs, and ways to talk to it without any client library."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process = process
        self.port = port
        self.url = f"http://127.0.0.1:{port}/mcp"

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_S)

    def send(
        self, body: Any, headers: dict[str, str | None] | None = None, method: str = "POST"
    ) -> tuple[int, Any, http.client.HTTPResponse]:
        """Send one request and return the status, the answer read as JSON, and the response."""
        connection = self.connect()
        try:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, "/mcp", data, headers_for(body, headers))
            response = connection.getresponse()
            content = response.read()
            is_json = response.getheader("content-type") == "application/json"
            return response.status, json.loads(content) if is_json else None, response
        finally:
            connection.close()

    def stream(self, body: Any) -> tuple[http.client.HTTPConnection, Iterator[Any]]:
        """Send one request and return its connection with an iterator over the events of the answer."""
        connection = self.connect()
        connection.request("POST", "/mcp", json.dumps(body), headers_for(body, None))
        response = connection.getresponse()
        assert response.getheader("content-type", "").startswith("text/event-stream")
        lines = iter(response.readline, b"")
        return connection, (json.loads(line[5:]) for line in lines if line.startswith(b"data:"))

    def stop(self, by: signal.Signals = signal.SIGTERM) -> float:
        """Ask the server to stop and return how many seconds it took."""
        started = time.monotonic()
        self.process.send_signal(by)
        ended = self.process.wait(timeout=STOP_S)
        # uvicorn raises the signal again at the end; that of Ctrl-C is nothing to report.
        assert ended in ((0, -signal.SIGTERM) if by == signal.SIGTERM else (0,))
        return time.monotonic() - started


def headers_for(body: Any, changes: dict[str, str | None] | None) -> dict[str, str]:
    """Return the headers that a client sends with a message, changed; None takes one out."""
    headers: dict[str, str | None] = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
    }
    if isinstance(body, dict):
        headers["Mcp-Method"] = body.get("method")
        headers["Mcp-Name"] = body.get("params", {}).get("name")
    return {name: value for name, value in (headers | (changes or {})).items() if isinstance(value, str)}


@contextmanager
def serving(*command: object) -> Iterator[Served]:
    """Run a Python script that takes `--port`, as long as the context lasts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = [sys.executable, *map(str, command), "--port", str(port)]
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, env={**os.environ, **ENVIRONMENT})
    try:
        wait_for(port, process)
        yield Served(process, port)
    finally:
        process.kill()
        process.wait()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended before it listened"
        with socket.socket() as connection:
            connection.settimeout(1)
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")
