"""Several Python threads at once, the library's threads, signals and forks."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Callable, List

import numpy as np
from support import TestCase, assert_same, lattice, together

import throng
from throng import _native


class TheGil(TestCase):
    def setUp(self) -> None:
        # The GIL is not taken away from a thread: others run only when it releases it.
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(60)

    def test_is_released_while_there_is_work(self) -> None:
        many = lattice(400_000, 2, side=2000)
        crowd = throng.Crowd(many, 0.5)
        ids = np.arange(400_000, dtype=np.uint32)
        file = tempfile.NamedTemporaryFile()
        calls: Any = {
            "update": lambda: crowd.update(many, 0.5),
            "set_statics": lambda: crowd.set_statics(many[:50_000], 0.5),
            "query": lambda: crowd.query_balls(many, 3.0),
            "count": lambda: crowd.count(throng.Boxes(many, many), without=ids),
            "neighbours": lambda: crowd.neighbours(3.0),
            "pairs": lambda: crowd.pairs(),
            "nearest": lambda: crowd.nearest(many, 4),
            "first": lambda: crowd.first(throng.Segments(many, many + 1)),
            "edit": lambda: crowd.edit(move=(ids, many)),
            "save": lambda: crowd.save(file.name),
        }
        for name, call in calls.items():
            with self.subTest(name):
                self.assertTrue(any(self.others_ran(call) for _ in range(10)))

    def others_ran(self, call: Callable[[], Any]) -> bool:
        """Whether this thread ran during the middle half of another thread's call."""
        span: List[float] = []

        def timed() -> None:
            span.append(time.perf_counter())
            call()
            span.append(time.perf_counter())

        thread = threading.Thread(target=timed)
        ticks: List[float] = []
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
            time.sleep(0.0001)
        begin, end = span
        quarter = (end - begin) / 4
        return any(begin + quarter < tick < end - quarter for tick in ticks)


class TheEnd(TestCase):
    SCRIPT = """
import threading, time
import numpy as np
import throng
from throng import _native

positions = np.random.default_rng(1).random((20_000, 2), dtype=np.float32) * 140
crowd = throng.Crowd(positions, 0.5)

def ask():
    while True:
        {call}

for _ in range(6):
    threading.Thread(target=ask, daemon=True).start()
time.sleep(0.2)
"""

    def test_daemons_that_ask_do_not_abort_it(self) -> None:
        for call in ("crowd.neighbours(2.0)", "crowd.update(positions, 0.5)"):
            script = self.SCRIPT.format(call=call)
            ended = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60)
            self.assertEqual((ended.returncode, ended.stderr), (0, b""))


class OneCrowd(TestCase):
    def test_is_asked_by_many(self) -> None:
        positions = lattice(5000, 2, side=70)
        for threads in (1, 3):
            crowd = throng.Crowd(positions, 0.5, threads=threads)
            hits, pairs = crowd.query_balls(positions, 3.0), crowd.pairs()
            nearest = crowd.nearest(positions, 3)

            def ask() -> None:
                for _ in range(20):
                    assert_same(crowd.query_balls(positions, 3.0).ids, hits.ids)
                    assert_same(crowd.pairs().second, pairs.second)
                    assert_same(crowd.nearest(positions, 3).ids, nearest.ids)

            together(*[ask] * 4)

    def test_is_changed_while_it_is_asked(self) -> None:
        states = [lattice(n, 2, seed=n, side=50) for n in (3000, 2000)]
        known = [len(throng.Crowd(state).neighbours(3.0).ids) for state in states]
        self.assertNotEqual(*known)
        crowd = throng.Crowd(states[0])
        done = threading.Event()
        seen = set()

        def change() -> None:
            # A change gets in, however many threads ask all the time.
            for i in range(60):
                crowd.update(states[(i + 1) % 2])
            done.set()

        def ask() -> None:
            while not done.is_set():
                # One state or the other, and nothing in between.
                found = len(crowd.neighbours(3.0).ids)
                seen.add(found)
                assert len(crowd) in (2000, 3000) and 1999 in crowd
                crowd.stats()

        together(change, ask, ask, ask)
        self.assertLessEqual(seen, set(known))

    def test_sums_are_made_while_agents_come_and_go(self) -> None:
        # Whatever a sum needs for all agents is made when no agent can come.
        for periodic in (False, True):
            crowd = throng.Crowd(
                lattice(300, 2), bounds=((0, 0), (24, 24)), cell=2, periodic=periodic
            )
            done = threading.Event()

            def change() -> None:
                id = 300 # never the same, so that arrays by id grow all the time
                while not done.is_set():
                    crowd.insert(id, (1, 2))
                    crowd.erase(id)
                    id += 1

            def add_up() -> None:
                try:
                    for _ in range(200):
                        assert len(crowd.density(2.0)) >= 300
                        assert len(crowd.separation(2.0)) >= 300
                finally:
                    done.set()

            self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
            sys.setswitchinterval(1e-6)
            together(change, add_up)

    def test_many_change_it(self) -> None:
        crowd = throng.Crowd(np.zeros((1, 2), np.float32), bounds=((0, 0), (9, 9)), cell=1)

        def insert(first: int) -> Callable[[], None]:
            def work() -> None:
                for id in range(first, first + 500):
                    crowd.insert(id, (1, 2))

            return work

        together(insert(1000), insert(2000), insert(3000))
        self.assertEqual(len(crowd), 1501)


class OwnThreads(TestCase):
    def tasks(self) -> int:
        return len(os.listdir("/proc/self/task"))

    def test_answers_do_not_depend_on_them(self) -> None:
        positions = lattice(20_000, 3, side=40)
        crowd = throng.Crowd(positions, 0.25)
        hits, pairs = crowd.neighbours(2.0), crowd.pairs()
        for threads in (2, 5, 0):
            crowd.threads = threads
            crowd.update(positions, 0.25)
            assert_same(crowd.neighbours(2.0).ids, hits.ids)
            assert_same(crowd.pairs().first, pairs.first)
        self.assertEqual(crowd.threads, len(os.sched_getaffinity(0)))

    def test_are_shared_and_go_with_the_last_crowd(self) -> None:
        before = self.tasks()
        crowds = [throng.Crowd(dim=2, threads=4, executor="pool") for _ in range(3)]
        crowds[0].threads = 4
        self.assertEqual(self.tasks(), before + 3)
        crowds.clear()
        self.assertEqual(self.tasks(), before)

    def test_belong_to_what_was_named(self) -> None:
        for made in (throng.Crowd, throng.PublishedCrowd):
            self.assertEqual(made(dim=2, threads=2).executor, _native.USUAL_EXECUTOR)
            self.assertEqual(made(dim=2, threads=1).executor, "serial")
            for executor in ("pool", "serial", _native.USUAL_EXECUTOR):
                self.assertEqual(made(dim=3, executor=executor).executor, executor)
        crowd = throng.Crowd(dim=2, threads=2, executor="pool")
        crowd.threads = 3
        self.assertEqual((crowd.executor, crowd.threads), ("pool", 3))
        self.assertEqual(pickle.loads(pickle.dumps(crowd)).executor, "pool")

    def test_give_the_same_answers_whatever_they_belong_to(self) -> None:
        positions = lattice(20_000, 2, side=100)
        wanted = throng.Crowd(positions, 0.5, executor="serial").neighbours(2.0)
        for executor in ("pool", _native.USUAL_EXECUTOR):
            hits = throng.Crowd(positions, 0.5, threads=3, executor=executor).neighbours(2.0)
            assert_same(hits.ids, wanted.ids)

    def test_a_forked_process_has_its_own(self) -> None:
        for executor in ("pool", _native.USUAL_EXECUTOR):
            with self.subTest(executor):
                self.fork_with(executor)

    def fork_with(self, executor: str) -> None:
        positions = lattice(20_000, 2, side=100)
        crowd = throng.Crowd(positions, 0.5, threads=3, executor=executor)
        expected = len(crowd.neighbours(2.0).ids)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                if self.tasks() == 1 and len(crowd.neighbours(2.0).ids) == expected:
                    crowd.update(positions[:100])
                    status = 0 if self.tasks() == 3 else 2
                del crowd
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(len(crowd.neighbours(2.0).ids), expected)

    def test_refused(self) -> None:
        self.assert_refused((TypeError, ValueError), [], throng.Crowd, dim=2, threads=-1)


class Signals(TestCase):
    def setUp(self) -> None:
        self.addCleanup(signal.signal, signal.SIGALRM, signal.getsignal(signal.SIGALRM))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        self.positions = lattice(100_000, 2, side=320)
        # Asking that takes many seconds: each finds tens of thousands of agents.
        self.many = np.broadcast_to(self.positions[:1] * 0 + 160, (2_000_000, 2))
        self.radius = 100.0

    def interrupted(self, crowd: throng.Crowd, handler: Callable[..., None]) -> None:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        crowd.count(throng.Balls(self.many, self.radius))

    def test_ctrl_c_ends_a_long_call(self) -> None:
        for threads in (1, 2):
            crowd = throng.Crowd(self.positions, threads=threads)
            before = crowd.count_neighbours(1.0)
            began = time.perf_counter()
            self.assert_refused(KeyboardInterrupt, [], self.interrupted, crowd, signal.default_int_handler)
            self.assertLess(time.perf_counter() - began, 2.0)
            assert_same(crowd.count_neighbours(1.0), before)

    def test_ctrl_c_ends_waiting_for_another_thread(self) -> None:
        crowd = throng.Crowd(self.positions)
        ready = threading.Event()

        def ask() -> None:
            ready.set()
            crowd.count(throng.Balls(self.many[:200_000], self.radius))

        thread = threading.Thread(target=ask)
        thread.start()
        ready.wait()
        time.sleep(0.05)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            self.assert_refused(KeyboardInterrupt, [], crowd.update, self.positions)
            self.assertTrue(thread.is_alive(), "the other call was too short")
        finally:
            thread.join()
        crowd.update(self.positions[:5])
        self.assertEqual(len(crowd), 5)

    def test_a_handler_cannot_wait_for_its_own_thread(self) -> None:
        crowd = throng.Crowd(self.positions)
        refused: List[str] = []

        def handler(*_: Any) -> None:
            try:
                crowd.update(self.positions[:5])
            except RuntimeError as error:
                refused.append(str(error))
            raise KeyboardInterrupt

        self.assert_refused(KeyboardInterrupt, [], self.interrupted, crowd, handler)
        self.assertEqual(len(refused), 1)
        self.assertIn("wait for itself", refused[0])
        self.assertEqual(len(crowd), 100_000)
