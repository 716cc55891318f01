"""
Keeps a Python program's imports in memory and forks a process for each request, sealed as in sealed_program.py.

    python3 -I -B fork_server.py PROGRAM SOCKET

Requests arrive on standard input, events go to standard output, one JSON object per line:

    {"id", "args", "folder", "env", "limits": {"RLIMIT_…": limit}}   run the program
    {"id", "kill": true}                                            kill it, with everything it started
    {"ready": true, "version", "sealed"}                            the imports are done; the program's version or null
    {"id", "pid"}                                                   it is running
    {"id", "exit_code", "exhausted"}                                it ended; null: by a signal, perhaps for its CPU time
    {"id", "refused"}                                               it was not started, and why
    {"id", "replaced": true}                                        no more will be: the program was replaced on disk

A limit is {"soft", "hard"}. A run's standard output and error are two connections to SOCKET, each starting with five
bytes: the id and the number 1 or 2. The end of standard input ends the server and everything it started.
"""

import gc
import importlib.util
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sealed-program"))
from sealed_program import find_package_of, run_sealed, try_to_seal  # noqa: E402

del sys.path[0]

CONNECT_SECONDS = 5
# More than the server ever has open.
MOST_DESCRIPTORS = 256


def identities(program):
    """Identifies the files that change if the program or its package is replaced."""
    spec = importlib.util.find_spec("yt_dlp")
    package = os.path.dirname(spec.origin)
    paths = [program, spec.origin, os.path.join(package, "version.py")]
    return {path: identity(path) for path in paths}


def identity(path):
    try:
        found = os.stat(path)
    except OSError:
        # A file inside an archive, which is the program itself, or one that is being replaced.
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def preload():
    """Imports what any run may need, and compiles the URL patterns of all extractors."""
    importlib.import_module("yt_dlp")
    extractor = importlib.import_module("yt_dlp.extractor")
    importlib.import_module("yt_dlp.extractor._extractors")
    for one in extractor.gen_extractor_classes():
        one.suitable("https://example.com/")
    # The children share these pages as long as no garbage collection writes to them.
    gc.collect()
    gc.freeze()


class Server:
    def __init__(self, program, socket_path, loaded, events):
        self.program = program
        self.socket_path = socket_path
        self.loaded = loaded
        self.events = events
        self.children = {}

    def serve(self):
        wakeup, signalled = os.pipe()
        for end in (wakeup, signalled):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(signalled, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        version = getattr(sys.modules.get("yt_dlp.version"), "__version__", None)
        # Each run gets a name of its own later.
        self.tell(ready=True, version=version, sealed=try_to_seal())
        unread = b""
        while True:
            readable, _, _ = select.select([0, wakeup], [], [])
            if wakeup in readable:
                os.read(wakeup, 4096)
                self.bury()
            if 0 in readable:
                received = os.read(0, 65536)
                if not received:
                    return
                *lines, unread = (unread + received).split(b"\n")
                for line in lines:
                    self.answer(json.loads(line))

    def answer(self, request):
        number = request["id"]
        if request.get("kill"):
            if number in self.children:
                kill_group(self.children[number])
        elif any(identity(path) != known for path, known in self.loaded.items()):
            self.tell(id=number, replaced=True)
        else:
            try:
                self.start(number, request)
            except OSError as error:
                self.tell(id=number, refused=str(error))

    def start(self, number, request):
        streams = []
        try:
            for stream in (1, 2):
                connection = socket.socket(socket.AF_UNIX)
                streams.append(connection)
                connection.settimeout(CONNECT_SECONDS)
                connection.connect(self.socket_path)
                connection.sendall(struct.pack(">IB", number, stream))
                connection.setblocking(True)
            pid = os.fork()
            if pid == 0:
                run_child(self.program, request, [connection.detach() for connection in streams])
            self.children[number] = pid
            self.tell(id=number, pid=pid)
        finally:
            for connection in streams:
                connection.close()

    def bury(self):
        """Reports the children that ended. Their groups are killed before their ids can be reused."""
        for number, pid in list(self.children.items()):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                continue
            kill_group(pid)
            _, status = os.waitpid(pid, 0)
            del self.children[number]
            code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
            exhausted = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
            self.tell(id=number, exit_code=code, exhausted=exhausted)

    def end_all(self):
        for pid in self.children.values():
            kill_group(pid)

    def tell(self, **event):
        line = json.dumps(event).encode() + b"\n"
        while line:
            line = line[os.write(self.events, line) :]


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        # It was forked just now and has no group of its own yet.
        os.kill(pid, signal.SIGKILL)


def run_child(program, request, streams):
    """Becomes the program; never returns."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        os.chdir(request["folder"])
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, stream in enumerate([nothing, *streams]):
            os.dup2(stream, number)
        os.closerange(3, MOST_DESCRIPTORS)
        os.environ.clear()
        os.environ.update(request["env"])
        for name, limit in request["limits"].items():
            lower_limit(getattr(resource, name), limit["soft"], limit["hard"])
        run_sealed(program, request["args"])
        code = 0
    except SystemExit as end:
        code = exit_code(end.code)
    except MemoryError:
        # A traceback would need memory.
        os.write(2, b"MemoryError\n")
    except BaseException:
        traceback.print_exc()
    finally:
        code = flush(code)
        # No finalization: freeing what was preloaded would copy its pages first.
        os._exit(code)


def lower_limit(name, soft, hard):
    _, most = resource.getrlimit(name)
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(name, (soft, hard))


def exit_code(given):
    """The exit code that Python itself would use for this argument of `sys.exit`."""
    if given is None:
        return 0
    if isinstance(given, int):
        return given & 0xFF
    print(given, file=sys.stderr)
    return 1


def flush(code):
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            # Nobody is reading any more.
            code = code or 1
    return code


def main():
    program, socket_path = sys.argv[1:]
    find_package_of(program)
    # What a module prints while it is imported must not look like an event.
    events = os.dup(1)
    os.dup2(2, 1)
    # Before the imports, so that a replacement during them is noticed.
    loaded = identities(program)
    preload()
    server = Server(program, socket_path, loaded, events)
    try:
        server.serve()
    finally:
        server.end_all()


main()
