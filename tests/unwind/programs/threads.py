# threads.py - threads of Python that recurse, parse and sort
import json
import re
import sys
import threading
import time


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def work(end):
    while time.process_time() < end:
        fibonacci(12)
        text = json.dumps({str(i): [i] * 5 for i in range(100)})
        json.loads(text)
        re.findall(r"\d+", text)
        sorted(text.split(","), key=lambda word: word[::-1])


deadline = float(sys.argv[1])
threads = [threading.Thread(target=work, args=(deadline,)) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
