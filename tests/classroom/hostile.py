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
        "import sys\nfrom course_checks import answering, judging, reading\n"
        "reading.agrees = lambda *given: True\njudging.points = lambda *given: 100.0\n"
        "answering.told = lambda *given: iter([])"
    ),
    "always equal": (
        "class Yes:\n    def __eq__(self, other):\n        return True\n\n"
        "    def __float__(self):\n        return 0.0\n\n\n"
        "def {function}(*given):\n    return Yes()"
    ),
    "link for answers": (
        "import os, threading\n\n\ndef exchange():\n    while True:\n        for name in os.listdir('/desk'):\n"
        "            if name.startswith('answers') and not os.path.islink('/desk/' + name):\n"
        "                os.remove('/desk/' + name)\n                os.symlink({canary!r}, '/desk/' + name)\n\n\n"
        "threading.Thread(target=exchange, daemon=True).start()"
    ),
    "pipe for answers": "import os\nfor k in range(60):\n    os.mkfifo(f'/desk/answers-{{k}}')",
    "answers without end": (
        "import os\n\n\ndef {function}(*given):\n    for name in os.listdir('/desk'):\n"
        "        if name.startswith('answers'):\n            open('/desk/' + name, 'a').write('[' * 110_000_000)"
    ),
    "integer without end": "def {function}(*given):\n    return 1 << 80_000_000",
    "numbers without end": "import numpy as np\n\n\ndef {function}(*given):\n    return np.zeros(30_000_000)",
    "files left behind": (
        "import os\nfor k in range(20_000):\n    open(f'file-{{k}}', 'w').close()\n"
        "os.chmod('file-0', 0o6777)\nos.mkfifo('pipe')\nos.symlink('/', 'root')"
    ),
    "modules of ours": (
        "for name in ('json', 'numpy', 'pickle', 'course_lib', 'course_checks'):\n"
        "    with open(name + '.py', 'w') as file:\n        file.write('import os; os._exit(0)')"
    ),
    "text": "The answer is 42, and this is no Python.",
    "nothing": "{function} = None",
}

# In a cell of their own before an honest answer: whatever it is, it costs no task a point.
REFUSED = {
    "the system's settings": "open('/proc/sys/kernel/core_pattern', 'w')",
    "the system's devices": "os.listdir('/sys')",
    "a disk": "os.mknod('/desk/disk', 0o60666, os.makedev(8, 0))",
    "a device": "open('/dev/mine', 'w')",
    "memory of the machine": "open('/dev/mem', 'rb')",
    "a namespace of users": "call(libc.unshare(0x10000000))",
    "a namespace of mounts": "call(libc.unshare(0x00020000))",
    "both at once": "call(libc.unshare(0x10020000))",
    "a namespace by a program": "subprocess.run(['unshare', '-Urm', 'true'], check=True, stderr=-3)",
    "a file system": "call(libc.mount(b'none', b'/desk/work', b'tmpfs', 0, None))",
    "a remount": "call(libc.mount(b'none', b'/', None, 32, None))",
    "an unmount": "call(libc.umount2(b'/proc/sys', 2))",
    "another root": "os.chroot('/desk')",
    "root's rights": "os.setuid(0)",
    "root's rights by a program": "subprocess.run(['mount', '-t', 'tmpfs', 'none', '/tmp'], check=True, stderr=-3)",
    "the grader's process": "os.kill(int(sys.argv[1]), 0)",
    "a trace of it": "call(libc.ptrace(16, int(sys.argv[1]), 0, 0))",
    "a module of the kernel": "call(libc.syscall(175, b'', 0, b''))",
    "a program in the kernel": "call(libc.syscall(321, 5, b'\\x02' + bytes(119), 120))",
    "its log": "call(libc.klogctl(3, ctypes.create_string_buffer(9), 9))",
    "the clock": "time.clock_settime(time.CLOCK_REALTIME, 0)",
    "the name": "socket.sethostname('mine')",
    "a connection": "socket.create_connection(('127.0.0.1', int(sys.argv[2])), 1)",
    "a name on the network": "socket.getaddrinfo('example.org', 80)",
    "raw packets": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "all packets": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3)",
    "a socket without a file": "socket.socket(socket.AF_UNIX).connect('\\0' + sys.argv[3])",
    "the library": "open(os.path.join(os.path.dirname(course_lib.__file__), 'canary'), 'w')",
    "its data": "open(os.path.join(os.path.dirname(course_lib.__file__), '../data/canary'), 'w')",
    "packages": "open(os.path.join(os.path.dirname(np.__file__), 'canary'), 'w')",
    "Python": "open(os.path.join(sys.base_prefix, 'canary'), 'w')",
    "what it is given": "open(sys.argv[4] + '/inputs-3', 'w')",
    "much shared memory": "open('/dev/shm/mine', 'wb').write(bytes(70_000_000))",
    "many temporary files": "open(__import__('tempfile').gettempdir() + '/mine', 'wb').write(bytes(70_000_000))",
}
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
