using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Throng;

/// <summary>How long things live: views, handles, executors, snapshots, changes in steps.</summary>
static class LifeTest
{
    public static void Run()
    {
        Check.Test("views end with the next call", Views);
        Check.Test("views keep their batch alive", Kept);
        Check.Test("what was disposed of is refused", Disposed);
        Check.Test("executors", Executors);
        Check.Test("job systems", JobSystems);
        Check.Test("job systems that throw", Throwing);
        Check.Test("job systems outlive their handle where a batch needs them", Outlive);
        Check.Test("snapshots", Snapshots);
        Check.Test("changes in steps", Changes);
        Check.Test("batches give memory back", Release);
        Check.Test("memory at an address", Addresses);
        Check.Test("steady frames make no garbage", Garbage);
    }

    static readonly Questions everywhere = Questions.Of(new Ball2(new Float2(8, 8), 5));

    static void Views()
    {
        Crowd crowd = new Scene(2, 71).Crowd();
        var batch = new Batch();
        Hits hits = batch.Query(crowd, everywhere);
        IdView ids = hits[0];
        uint[] copy = ids.ToArray();
        Check.That(copy.Length > 10, "there are hits");
        Check.Same(copy[3], ids[3], "an element");
        Check.Lists(copy.Skip(2).Take(3), ids.Slice(2, 3).ToArray(), "a part");
        Check.Throws<ArgumentOutOfRangeException>(() => { uint id = ids[ids.Length]; });
        Check.Throws<ArgumentOutOfRangeException>(() => { uint id = ids[-1]; });
        Check.Throws<ArgumentOutOfRangeException>(() => ids.Slice(1, ids.Length));
        Check.Throws<ArgumentOutOfRangeException>(() => { IdView view = hits[1]; });
        batch.Count(crowd, everywhere, new uint[1]);
        Check.Throws<InvalidOperationException>(() => { uint id = ids[3]; });
        Check.Throws<InvalidOperationException>(() => ids.ToArray());
        Check.Throws<InvalidOperationException>(() => { IdView view = hits[0]; });
        ids = batch.Query(crowd, everywhere)[0];
        Check.Lists(copy, ids.ToArray(), "the same again");
        batch.Dispose();
        Check.Throws<InvalidOperationException>(() => { uint id = ids[3]; });
        Check.Throws<InvalidOperationException>(() => default(IdView).ToArray());
    }

    static Hits Lost(Crowd crowd) { return new Batch().Query(crowd, everywhere); }

    static void Kept()
    {
        Crowd crowd = new Scene(2, 71).Crowd();
        uint[] copy = new Batch().Query(crowd, everywhere)[0].ToArray();
        var lost = Enumerable.Range(0, 20).Select(i => Lost(crowd)).ToArray();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        foreach (Hits hits in lost) Check.Lists(copy, hits[0].ToArray(), "hits whose batch nothing else names");
    }

    static void Disposed()
    {
        Crowd crowd = new Scene(2, 71).Crowd();
        var batch = new Batch();
        crowd.Dispose();
        crowd.Dispose();
        Check.Throws<ObjectDisposedException>(() => batch.Query(crowd, everywhere));
        Check.Throws<ObjectDisposedException>(() => crowd.Clear());
        Check.Refused(Code.NullHandle, "crowd is a null handle", () => batch.Query(null, everywhere));
    }

    static void Executors()
    {
        long threads;
        using (Executor serial = Executor.Serial())
        {
            Check.Same(ExecutorKind.Serial, Executor.Describe(serial, out threads), "the kind");
            Check.Same(1L, threads, "threads");
        }
        using (Executor pool = Executor.Pool(3))
        {
            Check.Same(ExecutorKind.Pool, Executor.Describe(pool, out threads), "the kind");
            Check.Same(3L, threads, "threads");
            Same(pool);
        }
        Executor.Describe(null, out threads);
        Check.Throws<ThrongException>(() => Executor.Pool(1 << 20));
        Check.Throws<ThrongException>(() => Executor.Pool(-1));
    }

    /// <summary>The same bits as on the calling thread.</summary>
    static void Same(Executor executor)
    {
        var draw = new Draw(73);
        Agents agents = Agents.Interleaved(2, Enumerable.Range(0, 40000).Select(i => (float)draw.Halves(200)).ToArray());
        Crowd one = new Crowd(2), other = new Crowd(2);
        one.Update(agents, Executor.Serial());
        other.Update(agents, executor);
        var how = new Neighbourhood(1);
        using (Batch plain = new Batch(Executor.Serial()), batch = new Batch(executor))
            Check.Lists(plain.Neighbours(one, how).Ids.ToArray(), batch.Neighbours(other, how).Ids.ToArray(),
                "the neighbours");
    }

    sealed class TwoThreads : JobSystem
    {
        public int Loops;
        public override int Threads { get { return 3; } }

        public override object Enqueue(Jobs jobs)
        {
            Interlocked.Increment(ref Loops);
            if (jobs.Count == 1)
            {
                jobs.Run(0, 1);
                return null;
            }
            long middle = jobs.Count / 2;
            var thread = new Thread(() => jobs.Run(middle, jobs.Count));
            thread.Start();
            jobs.Run(0, middle);
            return thread;
        }

        public override void Finish(object task) { ((Thread)task).Join(); }
    }

    static void JobSystems()
    {
        var system = new TwoThreads();
        using (Executor executor = Executor.Of(system))
        {
            long threads;
            Check.Same(ExecutorKind.Callbacks, Executor.Describe(executor, out threads), "the kind");
            Same(executor);
        }
        Check.That(system.Loops > 1, "it was asked");
    }

    sealed class Broken : JobSystem
    {
        public bool Late;

        public override object Enqueue(Jobs jobs)
        {
            if (!Late) throw new NotSupportedException("no jobs today");
            jobs.Run(0, jobs.Count);
            return this;
        }

        public override void Finish(object task) { throw new NotSupportedException("not finished"); }
    }

    static void Throwing()
    {
        var draw = new Draw(79);
        Agents agents = Agents.Interleaved(2, Enumerable.Range(0, 40000).Select(i => (float)draw.Halves(200)).ToArray());
        var crowd = new Crowd(2);
        var system = new Broken();
        Executor executor = Executor.Of(system);
        ThrongException refused = Check.Throws<ThrongException>(() => crowd.Update(agents, executor));
        Check.Same(Code.ExecutorFailed, refused.Code, "the code");
        Check.Same("no jobs today", refused.InnerException.Message, "what the job system threw");
        Check.Same(0ul, crowd.Counts.Agents, "agents after the refusal");
        system.Late = true;
        Exception late = Check.Throws<InvalidOperationException>(() => crowd.Update(agents, executor));
        Check.Same("not finished", late.InnerException.Message, "what the job system threw");
        Check.Same(20000ul, crowd.Counts.Agents, "agents after a call that did its work");
        crowd.Update(agents);
    }

    static Batch OnLost(TwoThreads system)
    {
        using (Executor executor = Executor.Of(system)) return new Batch(executor);
    }

    static void Outlive()
    {
        var draw = new Draw(81);
        var crowd = new Crowd(2);
        crowd.Update(Agents.Interleaved(2, Enumerable.Range(0, 40000).Select(i => (float)draw.Halves(200)).ToArray()));
        var system = new TwoThreads();
        Batch batch = OnLost(system);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Check.That(batch.Neighbours(crowd, new Neighbourhood(1)).Ids.Length > 0, "it answers");
        Check.That(system.Loops > 0, "on that job system");
        batch.Dispose();
        // On a thread of their own, since mono takes what lies on a stack for references.
        var made = new List<WeakReference>();
        var maker = new Thread(() => { for (int i = 0; i < 10; ++i) made.Add(Made()); });
        maker.Start();
        maker.Join();
        for (int i = 0; i < 3; ++i)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Check.That(made.Count(weak => weak.IsAlive) < 5, "job systems are let go of when nothing needs them any more");
    }

    static WeakReference Made()
    {
        var system = new TwoThreads();
        OnLost(system).Dispose();
        return new WeakReference(system);
    }

    static void Snapshots()
    {
        var scene = new Scene(2, 83);
        var published = new PublishedCrowd(scene.Settings());
        Check.That(published.Acquire() == null, "there is no frame yet");
        published.Reserve(1000);
        published.SetStatics(scene.Members(Scene.Agents, Scene.Statics));
        published.Update(scene.Members(0, Scene.Agents));
        Snapshot first = published.Acquire();
        ulong count = first.Crowd.CountOne(everywhere);
        scene.Move(new Draw(85));
        published.Update(scene.Members(0, Scene.Agents));
        using (Snapshot second = published.Acquire())
        {
            Check.Same(1ul, first.Frame, "the first frame");
            Check.Same(2ul, second.Frame, "the second frame");
            Check.Same(count, first.Crowd.CountOne(everywhere), "what the first frame has");
            Check.Same(scene.Crowd().CountOne(everywhere), second.Crowd.CountOne(everywhere), "what the second has");
        }
        published.Dispose();
        Check.Same(count, first.Crowd.CountOne(everywhere), "a snapshot stays");
        first.Crowd.Dispose();
        Check.Refused(Code.ReadOnly, "crowd belongs to a snapshot, which must not be changed or destroyed",
            () => first.Crowd.Clear());
        first.Dispose();
        Check.Refused(Code.DeadHandle, "crowd is a handle that was destroyed, or never made",
            () => first.Crowd.CountOne(everywhere));
    }

    static int Finish(Change change)
    {
        int loops = 0;
        for (; change.Blocks != 0; ++loops)
        {
            for (long block = change.Blocks; block-- > 0;) change.Run(block, block + 1);
            change.Next();
        }
        return loops;
    }

    static void Changes()
    {
        var scene = new Scene(2, 87);
        Crowd crowd = scene.Crowd(), other = scene.Crowd();
        scene.Move(new Draw(89));
        Agents agents = scene.Members(0, Scene.Agents);
        var change = new Change();
        change.Update(crowd, agents, 2);
        Check.That(change.ThreadsWorth > 0, "it says how many threads it is worth");
        Check.Refused(Code.BeingChanged, "crowd is being changed in steps, which have not ended",
            () => crowd.CountOne(everywhere));
        GC.Collect(); // the arrays stay where they are
        Check.That(Finish(change) > 0, "it took loops");
        other.Update(agents);
        Check.Lists(other.Order(), crowd.Order(), "the order");
        change.Edit(crowd, new[] { Edit.Erase(4) });
        Finish(change);
        Check.Same((ulong)(Scene.Agents - 1), crowd.Counts.Agents, "agents after an edit");
        change.Update(crowd, agents);
        change.Cancel();
        Check.Same((ulong)(Scene.Agents - 1), crowd.Counts.Agents, "agents after a change that was given up");
        // A block that is left out fails the change, and leaves the crowd as it was.
        change.Update(crowd, agents);
        Check.Throws<ThrongException>(change.Next);
        Check.Same((ulong)(Scene.Agents - 1), crowd.Counts.Agents, "agents after a change that failed");
        change.Update(crowd, agents);
        change.Dispose();
        Check.Same((ulong)(Scene.Agents - 1), crowd.Counts.Agents, "agents after a change that was disposed of");
    }

    static void Release()
    {
        Crowd crowd = new Scene(2, 91).Crowd();
        var batch = new Batch();
        Hits hits = batch.Query(crowd, everywhere);
        ulong bytes = batch.Memory;
        batch.Release();
        Check.That(batch.Memory < bytes, "it has less");
        Check.Throws<InvalidOperationException>(() => { IdView view = hits[0]; });
    }

    static unsafe void Addresses()
    {
        Crowd crowd = new Scene(2, 91).Crowd();
        var batch = new Batch();
        Ball2 ball = new Ball2(new Float2(8, 8), 5);
        uint count, guard = 77;
        batch.Count(crowd, Questions.At<Ball2>(&ball, 1), Items<uint>.At(&count, 1));
        Check.Same(crowd.CountOne(everywhere), (ulong)count, "the count");
        Check.Same(77u, guard, "what lies beside");
        Float2 point = ball.Centre;
        Check.Same(batch.Nearest(crowd, Points.Of(point), new Nearest(1))[0][0],
            batch.Nearest(crowd, Points.At(2, &point.X, 1), new Nearest(1))[0][0], "the nearest");
    }

    static void Garbage()
    {
        var scene = new Scene(2, 93);
        Crowd crowd = scene.Crowd();
        var batch = new Batch(Executor.Serial());
        Executor serial = Executor.Serial();
        Agents agents = scene.Members(0, Scene.Agents);
        var balls = new[] { new Ball2(new Float2(8, 8), 1), new Ball2(new Float2(3, 3), 1) };
        var counts = new uint[2];
        var how = new Neighbourhood(0.5f);
        var nearest = new Nearest(1);
        Float2[] points = { new Float2(8, 8) };
        ulong sum = 0;
        Action frame = () =>
        {
            crowd.Update(agents, serial);
            Hits hits = batch.Query(crowd, Questions.Of(balls));
            for (long q = 0; q < hits.Count; ++q)
                for (long i = 0; i < hits[q].Length; ++i) sum += hits[q][i];
            sum += batch.Count(crowd, Questions.Of(balls).To(Sets.Small).With(Filter.NotThe(3)), counts);
            sum += batch.Neighbours(crowd, how).Ids[0];
            sum += batch.Nearest(crowd, Points.Of(points), nearest)[0][0].Id;
        };
        frame();
        // Many enough that one object a frame would have the young generation collected: MakeGarbage() shows that.
        const int frames = 50000; // run makes the young generation small
        GC.Collect();
        int before = GC.CollectionCount(0);
        for (int i = 0; i < frames; ++i) frame();
        Check.Same(before, GC.CollectionCount(0), "collections");
        MakeGarbage(frames);
        Check.That(GC.CollectionCount(0) > before, "garbage would be seen");
    }

    static void MakeGarbage(int objects)
    {
        for (int i = 0; i < objects; ++i) GC.KeepAlive(new object());
    }
}
