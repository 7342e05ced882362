"""What a few students of a large class might hand in, and what their other, honest tasks must still earn.

Each entry of `KINDS` is code in the place of the answer to one task. Where the code defines no right function, that
task earns nothing; all other tasks of the submission keep their points.
"""

READ = """
import glob, os
found = []
for place in {places!r}:
    for path in [place, *glob.glob(place + "/**", recursive=True)]:
        try:
            found += [path] if open(path, "rb").read() else []
        except OSError:
            pass
print(found)
"""
WRITE = """
for place in {places!r}:
    try:
        with open(os.path.join(place, "canary"), "a") as file:
            file.write("reached")
    except OSError:
        pass
"""

KINDS = {
    "endless loop": "while True:\n    pass",
    "endless call": "def {function}(*given):\n    while True:\n        pass",
    "endless, deaf": (
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.pthread_sigmask(signal.SIG_BLOCK, "
        "[signal.SIGINT, signal.SIGALRM, signal.SIGPROF])\nwhile True:\n    pass"
    ),
    "memory": "kept = []\nwhile True:\n    kept.append(bytearray(b'x' * 100_000_000))",
    "memory of children": (
        "import os\nfor _ in range(8):\n    if not os.fork():\n        kept = bytearray(b'x' * 700_000_000)\n"
        "        while True:\n            pass\nwhile True:\n    pass"
    ),
    "exit": "import os\nos._exit(0)",
    "exit in the call": "import os\n\n\ndef {function}(*given):\n    os._exit(0)",
    "kill all": "import os, signal\nos.kill(-1, signal.SIGKILL)",
    "kill itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "flood": "while True:\n    print('x' * 10_000)",
    "flood of files": (
        "k = 0\nwhile True:\n    k += 1\n"
        "    with open(f'flood-{{k}}', 'wb') as file:\n        file.write(bytes(10_000_000))"
    ),
    "fork bomb": "import os\nwhile True:\n    os.fork()",
    "setsid": (
        "import os, time\nif not os.fork():\n    os.setsid()\n    if not os.fork():\n        while True:\n"
        "            time.sleep(1)\n    os._exit(0)"
    ),
    "patched grader": (
        "import sys\nfrom course_lib.homework import answering, judging, reading\n"
        "reading.agrees = lambda *given: True\njudging.points = lambda *given: 100.0\n"
        "answering.told = lambda *given: iter([])"
    ),
    "always equal": (
        "class Yes:\n    def __eq__(self, other):\n        return True\n\n"
        "    def __float__(self):\n        return 0.0\n\n\n"
        "def {function}(*given):\n    return Yes()"
    ),
    "link for answers": (
        "import glob, os, tempfile\n"
        "for place in glob.glob(tempfile.gettempdir() + '/box-*/desk'):\n    for k in range(60):\n"
        "        try:\n            os.symlink({canary!r}, f'{{place}}/answers-{{k}}')\n"
        "        except OSError:\n            pass"
    ),
    "text": "The answer is 42, and this is no Python.",
    "nothing": "{function} = None",
}

# In a cell of their own before an honest answer: whatever it is, it costs no task a point.
ENDS = {
    "exit()": "exit()",
    "exit": "exit",
    "quit()": "quit()",
    "sys.exit": "import sys\nsys.exit(1)",
    "exits at once": "import os\nos._exit(0)",
    "abort": "import os\nos.abort()",
    "segfault": "import ctypes\nctypes.string_at(0)",
    "kill": "import os\nos.kill(os.getpid(), 9)",
    "stop": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "a timer": "import os, threading\nthreading.Timer(0.1, os._exit, (0,)).start()",
    "an alarm": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.1)",
    "a child": (
        "import os, time\nif not os.fork():\n    time.sleep(0.1)\n    os.kill(os.getppid(), 9)\n    os._exit(0)"
    ),
    "a hook": "import os\nget_ipython().events.register('pre_run_cell', lambda info: os._exit(0))",
    "a patched library": "import os, time\ntime.sleep = lambda seconds: os._exit(0)",
    "the loop": "get_ipython().kernel.io_loop.stop()",
    "a request": (
        "import sys\nfrom jupyter_client import BlockingKernelClient\n"
        "from ipykernel.connect import get_connection_file\n"
        "client = BlockingKernelClient(connection_file=get_connection_file())\n"
        "client.load_connection_file()\nclient.start_channels()\nclient.shutdown()"
    ),
    "closed files": "import os\nos.closerange(3, 200)",
    "a closed channel for requests": "get_ipython().kernel.shell_stream.close()",
    "a closed channel for outputs": "get_ipython().kernel.iopub_socket.close()",
    "a message that no connection takes": "print('x' * 30_000_000)",
    "messages that nobody sends": (
        "kernel = get_ipython().kernel\n"
        "for content in ({}, {'data': 7}, {'name': 'stdout', 'text': 7}, {'execution_state': 7}):\n"
        "    for kind in ('stream', 'display_data', 'execute_result', 'comm_open', 'error', 'odd', 'status'):\n"
        "        kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())"
    ),
}
FLOODS = {
    "many messages": "for _ in range(100):\n    print('x' * 100_000)",
    "one message": "print('x' * 6_000_000)",
    "displays": (
        "from IPython.display import display\nfor _ in range(2000):\n    display({'text/plain': 'x' * 5000}, raw=True)"
    ),
    "small displays": (
        "from IPython.display import display\nfor _ in range(3000):\n    display({'text/plain': 'x'}, raw=True)"
    ),
    "an error": "raise ValueError('x' * 3_000_000)",
    "the name of an error": "raise type('x' * 1_000_000, (Exception,), {})",
    "a value": "'x' * 3_000_000",
    "a file descriptor": "import os\nfor _ in range(100):\n    os.write(1, b'x' * 100_000)",
}
