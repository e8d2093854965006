#if UNITY_2021_3_OR_NEWER
using System;
using System.Linq;
using System.Runtime.InteropServices;
using Throng;
using Unity.Collections;
using UnityEngine;

/// <summary>Arrays of Unity's, with the types of UnityStub.cs.</summary>
static class UnityTest
{
    struct Body
    {
        public int Kind;
        public Vector3 Position;
        public uint Mask;
    }

    public static void Run()
    {
        Check.Test("NativeArray as input", Input);
        Check.Test("NativeArray as output", Output);
        Check.Test("answers as NativeArray", Answers);
        Check.Test("Unity's vectors", Vectors);
    }

    static readonly Vector3[] places = Enumerable.Range(0, 50).Select(i => new Vector3(i % 10, 500 - i, i / 10)).ToArray();
    static readonly Questions ball = Questions.Of(new Ball2(new Vector2(4, 2), 2));

    static uint[] Truth()
    {
        return Enumerable.Range(0, 50).Where(i => Math.Pow(places[i].x - 4, 2) + Math.Pow(places[i].z - 2, 2) <= 4)
            .Select(i => (uint)i).ToArray();
    }

    static Throng.Crowd Ground()
    {
        var array = new NativeArray<Vector3>(places, Allocator.Persistent);
        var crowd = new Throng.Crowd(2);
        crowd.Update(Agents.Of(array, 0, 8));
        array.Dispose();
        return crowd;
    }

    static void Input()
    {
        var batch = new Batch();
        Check.Lists(Truth(), batch.Query(Ground(), ball)[0].ToArray().OrderBy(id => id), "the ids");
        // Structures with a mask each, as components of entities are.
        var bodies = new NativeArray<Body>(places.Select((p, i) => new Body { Position = p, Mask = 1u << i % 2 }).ToArray(),
            Allocator.Persistent);
        int at = (int)Marshal.OffsetOf(typeof(Body), "Position"), mask = (int)Marshal.OffsetOf(typeof(Body), "Mask");
        var crowd = new Throng.Crowd(2);
        crowd.Update(Agents.Of(bodies, at, at + 8).WithGroups(Column.Of(bodies, mask)));
        Check.Lists(Truth().Where(id => id % 2 == 1), batch.Query(crowd, ball.With(Filter.Of(2)))[0].ToArray()
            .OrderBy(id => id),
            "the ids of a group");
        Check.Throws<ThrongException>(() => crowd.Update(Agents.Of(bodies, at, Marshal.SizeOf(typeof(Body)))));
        bodies.Dispose();
        var balls = new NativeArray<Ball2>(new[] { new Ball2(new Vector2(4, 2), 2), new Ball2(new Vector2(90, 90), 2) },
            Allocator.Persistent);
        Hits hits = batch.Query(Ground(), Questions.Of(balls));
        Check.Lists(Truth(), hits[0].ToArray().OrderBy(id => id), "the ids of the first ball");
        Check.Same(0L, hits[1].Length, "the ids of the second");
        balls.Dispose();
        var points = new NativeArray<Vector2>(new[] { new Vector2(4.25f, 2) }, Allocator.Persistent);
        Check.Same(24u, batch.Nearest(Ground(), Points.Of(2, points), new Nearest(1))[0][0].Id, "the nearest");
        points.Dispose();
    }

    static void Output()
    {
        var counts = new NativeArray<uint>(new uint[1], Allocator.Persistent);
        Check.Same((ulong)Truth().Length, new Batch().Count(Ground(), ball, counts), "the sum");
        Check.Same((uint)Truth().Length, counts[0], "the count");
        counts.Dispose();
    }

    static void Answers()
    {
        var batch = new Batch();
        Throng.Crowd crowd = Ground();
        for (int frame = 0; frame < 3; ++frame)
        {
            NativeArray<uint> ids = batch.Query(crowd, ball).Ids.AsNativeArray();
            uint[] copy = Enumerable.Range(0, ids.Length).Select(i => ids[i]).ToArray();
            Check.Lists(Truth(), copy.OrderBy(id => id), "the ids");
            batch.CountPairs(crowd);
#if ENABLE_UNITY_COLLECTIONS_CHECKS
            Check.Throws<ObjectDisposedException>(() => { uint id = ids[0]; });
#endif
        }
        IdView view = batch.Query(crowd, ball).Ids;
#if ENABLE_UNITY_COLLECTIONS_CHECKS
        view.AsNativeArray();
        Unity.Collections.LowLevel.Unsafe.AtomicSafetyHandle.Busy = true;
        Check.Throws<InvalidOperationException>(() => batch.CountPairs(crowd));
        Unity.Collections.LowLevel.Unsafe.AtomicSafetyHandle.Busy = false;
        Check.Same(Truth().Length, view.ToArray().Length, "what a job reads stays");
#endif
        batch.Release();
        Check.Throws<InvalidOperationException>(() => view.AsNativeArray());
    }

    static void Vectors()
    {
        Vector3 there = (Float3)new Vector3(1, 2, 3);
        Vector2 here = (Float2)new Vector2(4, 5);
        Check.That(there.x == 1 && there.y == 2 && there.z == 3 && here.x == 4 && here.y == 5, "they come back");
    }
}
#endif
