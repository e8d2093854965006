"""Headless Chromium, driven through chromedriver's WebDriver protocol, which is JSON over HTTP."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars",
    # No name is found, so that nothing can come from outside.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def found():
    """(browser, driver), or None where one of them is not installed."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Browser:
    """One window. Use it in a `with`: at its end browser, driver and profile are gone."""

    def __init__(self, programs):
        self._programs = programs

    def __enter__(self):
        browser, driver = self._programs
        self._profile = tempfile.mkdtemp(prefix="throng-report-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._driver = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self._url = f"http://127.0.0.1:{port}"
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            self._wait()
            options = {"binary": browser, "args": [*FLAGS, f"--user-data-dir={self._profile}"]}
            capabilities = {"browserName": "chrome", "goog:chromeOptions": options,
                            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self._url += f"/session/{answer['sessionId']}"
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", "")
        except OSError:
            pass  # it is ended below all the same
        self._stop()

    def _stop(self):
        self._driver.terminate()
        try:
            self._driver.wait(5)
        except subprocess.TimeoutExpired:
            self._driver.kill()
        shutil.rmtree(self._profile, ignore_errors=True)

    def _wait(self):
        end = time.monotonic() + 10
        while True:
            try:
                self._call("GET", "/status")
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self._url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with self._opener.open(request, timeout=30) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()[:600]) from None

    def open(self, path, part=""):
        self._call("POST", "/url", {"url": "file://" + os.path.abspath(path) + part})

    def run(self, script, *arguments):
        """What a piece of JavaScript returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def settle(self):
        """Returns after the browser has painted, and told its scripts that it scrolled."""
        self._call("POST", "/execute/async", {"args": [], "script": (
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(null)));")})

    def log(self, kind):
        return self._call("POST", "/se/log", {"type": kind})

    def _devtools(self, command, **parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height, phone=False):
        self._devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                       deviceScaleFactor=1, mobile=phone)

    def prefer(self, scheme):
        """What the system is said to prefer: light or dark."""
        self._devtools("Emulation.setEmulatedMedia",
                       features=[{"name": "prefers-color-scheme", "value": scheme}])

    def point_at(self, x, y):
        self._pointer({"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)})

    def click(self, x, y):
        self._pointer({"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
                      {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def _pointer(self, *actions):
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}
        self._call("POST", "/actions", {"actions": [mouse]})

    def press(self, key):
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def picture(self, path):
        """The whole page as a PNG."""
        picture = self._devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
