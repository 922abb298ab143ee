"""A small client of Chromium's debugging protocol, over two pipes: no package, no port."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def program():
    """The browser's program, if one is installed."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for found in map(shutil.which, NAMES) if found), None)


class Browser:
    """A headless browser with an empty profile."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="activate-browser-")
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        flags = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
                 f"--user-data-dir={self.profile}"]
        if os.getuid() == 0:
            # The sandbox refuses to run as root.
            flags.append("--no-sandbox")
        # The protocol has the numbers 3 and 4: ends that have them already are first given others.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser, from_browser)]
        script = f'exec 3<&{ends[0]} 4>&{ends[1]}; exec "$0" "$@"'
        self.process = subprocess.Popen(["bash", "-c", script, program(), *flags, "about:blank"], pass_fds=ends,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_browser, from_browser, *ends):
            os.close(end)
        self.buffer, self.count, self.events = b"", 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.page(f"{domain}.enable")

    def call(self, method, session=None, **params):
        """Asks, and waits for the answer; what is told meanwhile is kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        number = self.count
        while True:
            answer = self.receive(30)
            if answer is None:
                raise TimeoutError(method)
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def receive(self, seconds):
        """The next message, or none within a time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.reader], [], [], max(0, end - time.monotonic()))[0]:
                return None
            chunk = os.read(self.reader, 1 << 20)
            if not chunk:
                raise EOFError("the browser has gone")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def page(self, method, **params):
        """Asks the page."""
        return self.call(method, self.session, **params)

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.page("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, path, width=1280, height=800, scheme="light"):
        """Opens a file, and says how many milliseconds it took until it was drawn."""
        self.page("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.page("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.page("Page.navigate", url="about:blank")
        self.wait("Page.loadEventFired")
        self.events.clear()
        start = time.monotonic()
        address = path if "://" in path else "file://" + os.path.abspath(path)
        self.page("Page.navigate", url=address)
        self.wait("Page.loadEventFired")
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return round((time.monotonic() - start) * 1000)

    def open_without_script(self, path):
        """Opens a file where scripts are off."""
        self.events.clear()
        self.page("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("Page.loadEventFired")

    def wait(self, method, seconds=60):
        """Waits for an event."""
        end = time.monotonic() + seconds
        while not any(event.get("method") == method for event in self.events):
            event = self.receive(end - time.monotonic())
            if event is None:
                raise TimeoutError(method)
            self.events.append(event)

    def key(self, key, text=None):
        """Presses a key."""
        code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}.get(key)
        text = text or ("\r" if key == "Enter" else key if len(key) == 1 else None)
        down = {"type": "keyDown" if text else "rawKeyDown", "key": key}
        if code:
            down["windowsVirtualKeyCode"] = code
        if text:
            down["text"] = text
        self.page("Input.dispatchKeyEvent", **down)
        self.page("Input.dispatchKeyEvent", type="keyUp", key=key, **({"windowsVirtualKeyCode": code} if code else {}))

    def type(self, text):
        """Types a text where the focus is."""
        self.page("Input.insertText", text=text)

    def click(self, selector):
        """Clicks into the middle of an element as a mouse does."""
        place = self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: 'center', inline: 'center'}}); const r = e.getBoundingClientRect();
            return [r.left + r.width / 2, r.top + r.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.page("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def shot(self, path):
        """Writes a picture of what is seen."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.page("Page.captureScreenshot", format="png")["data"]))

    def complaints(self):
        """What the page logged, threw or was refused, and all that it asked for beside itself."""
        self.run("1")
        told, asked = [], []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                told.append(params["exceptionDetails"].get("text", "") + str(params["exceptionDetails"].get("exception", {}).get("description")))
            elif method == "Runtime.consoleAPICalled":
                told.append(f"console.{params['type']}: {params['args']}")
            elif method == "Log.entryAdded":
                told.append(params["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                told.append(f"dialog: {params['message']}")
            elif method == "Network.requestWillBeSent" and params.get("type") != "Document":
                asked.append(params["request"]["url"])
        return told, asked

    def close(self):
        """Ends the browser that was started here."""
        try:
            self.call("Browser.close")
        except (EOFError, OSError, TimeoutError):
            self.process.kill()
        self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)
