using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using Throng;

/// <summary>How agents come into a crowd, change, and go into files.</summary>
static class CrowdTest
{
    [StructLayout(LayoutKind.Sequential)]
    struct Unit
    {
        public byte Team;
        public double Health;
        public Float3 Position;
        public uint Mask;
        public float Size;
    }

    public static void Run()
    {
        Check.Both("arrays in every form", Forms);
        Check.Test("x and z of three floats", Ground);
        Check.Both("positions in doubles", Doubles);
        Check.Both("edits", Edits);
        Check.Both("files", Files);
        Check.Test("counts, clear, reserve", Counts);
        Check.Test("reorder", Reorder);
        Check.Test("periodic worlds", Periodic);
        Check.Test("room for the worst", Bounds);
        Check.Test("memory with a cap", Memory);
    }

    /// <summary>Ids in a box around a member, small ones in order.</summary>
    static uint[] Around(Crowd crowd, double[] at, double radius)
    {
        var ids = new uint[1000];
        return ids.Take((int)crowd.QueryOne(Scene.Balls(radius, at), ids)).OrderBy(id => id).ToArray();
    }

    static void Same(Scene scene, Crowd crowd, string what, Sets sets = Sets.Agents)
    {
        for (int i = 0; i < Scene.Agents; i += 7)
        {
            var none = new Filter(Crowd.AllGroups, Crowd.NoId);
            uint[] truth = scene.Answer(j => scene.InBall(scene.At[i], 3, j, Body.Centre), sets, none).ToArray();
            Check.Lists(truth, Around(crowd, scene.At[i], 3), what);
        }
    }

    static unsafe void Forms(int dimension)
    {
        var scene = new Scene(dimension, 51);
        int n = Scene.Agents;
        float[][] axes = Enumerable.Range(0, dimension).Select(a => scene.At.Take(n).Select(p => (float)p[a])
            .ToArray()).ToArray();
        float[] sides = scene.At.Take(n).SelectMany(p => p.Select(x => (float)x)).ToArray();
        var units = scene.At.Take(n).Select(p => new Unit { Position = Scene.F3(p), Mask = 1, Size = 0 }).ToArray();
        int at = (int)Marshal.OffsetOf(typeof(Unit), "Position");
        var crowd = new Crowd(dimension);
        crowd.Update(dimension == 2 ? Agents.Separate(axes[0], axes[1]) : Agents.Separate(axes[0], axes[1], axes[2]));
        Same(scene, crowd, "separate arrays");
        crowd.Clear();
        crowd.Update(Agents.Interleaved(dimension, sides));
        Same(scene, crowd, "coordinates side by side");
        crowd.Clear();
        int[] offsets = Enumerable.Range(0, dimension).Select(a => at + 4 * a).ToArray();
        crowd.Update(Agents.Of(units, offsets), Executor.Serial());
        Same(scene, crowd, "structures");
        crowd.Clear();
        fixed (float* first = sides)
        {
            // Backwards: the stride is negative.
            float* last = first + (n - 1) * dimension;
            crowd.Update(Agents.Of(Enumerable.Range(0, dimension).Select(a => Column.At(last + a, -4 * dimension, n))
                .ToArray()));
        }
        for (int i = 0; i < n; i += 7)
            Check.That(Around(crowd, scene.At[i], 0).Contains((uint)(n - 1 - i)), "agent " + i + " is at the other end");
        crowd.Clear();
        // With masks in the same structures.
        units[5].Mask = 2;
        crowd.Update(Agents.Of(units, offsets).WithGroups(Column.Of(units, (int)Marshal.OffsetOf(typeof(Unit), "Mask")))
            .WithCommonHalfExtent(0.5f, 0.5f, dimension == 3 ? 0.5f : 0));
        var ids = new uint[1000];
        Filter second = Filter.Of(2);
        double[] lo = scene.Vector(a => scene.At[5][a] + 0.5);
        Check.Same(1ul, crowd.QueryOne(Scene.Box(lo, lo).With(second), ids), "one has the mask, and touches with its corner");
        Check.Same(5u, ids[0], "which one");
    }

    static void Ground()
    {
        var at = new[] { new Float3(1, 77, 2), new Float3(5, -3, 6), new Float3(1, 0, 4) };
        var crowd = new Crowd(2);
        Agents agents = Agents.Of(at, 0, 8);
        crowd.Update(agents);
        Check.Lists(new uint[] { 0, 2 }, Around(crowd, new double[] { 1, 2 }, 2), "near on the ground");
        at[1] = new Float3(1, 500, 1); // the same arrays are read anew
        crowd.Update(agents);
        Check.Lists(new uint[] { 0, 1, 2 }, Around(crowd, new double[] { 1, 2 }, 2), "near on the ground after a step");
    }

    static void Doubles(int dimension)
    {
        var scene = new Scene(dimension, 53);
        double[] origin = { 1e9, -1e9, 5e8 };
        var settings = scene.Settings();
        settings.Origin = new Double3(1e9, -1e9, dimension == 3 ? 5e8 : 0);
        var crowd = new Crowd(settings);
        double[] world = scene.At.Take(Scene.Agents).SelectMany(p => p.Select((x, a) => x + origin[a])).ToArray();
        crowd.Update(Agents.Interleaved(dimension, world));
        Same(scene, crowd, "positions in doubles");
    }

    static void Edits(int dimension)
    {
        var scene = new Scene(dimension, 57);
        var draw = new Draw(59);
        Crowd crowd = scene.Crowd();
        var edits = new List<Edit>();
        for (int i = 0; i < 60; ++i)
        {
            scene.At[i] = scene.Somewhere(draw);
            if (i % 3 == 0)
            {
                scene.There[i] = false;
                edits.Add(Edit.Erase((uint)i));
            }
            else edits.Add(Edit.Move((uint)i, Scene.F3(scene.At[i])));
        }
        crowd.Edit(edits.ToArray());
        Check.Same((ulong)(Scene.Agents - 20), crowd.Counts.Agents, "the number of agents");
        Same(scene, crowd, "after edits", Sets.Everybody);
        scene.There[30] = true;
        crowd.Edit(new[] { Edit.Insert(30, Scene.F3(scene.At[30]), Scene.F3(scene.Half[30])).InGroups(scene.Groups[30]) });
        Same(scene, crowd, "after an insertion", Sets.Everybody);
        // All or none.
        ThrongException refused = Check.Refused(Code.IdUnknown, "the id of edits[1] is not in the index",
            () => crowd.Edit(new[] { Edit.Erase(1), Edit.Erase(0) }));
        Check.Same(1ul, refused.Index, "the index");
        Check.Same("edits", refused.Argument, "the argument");
        Same(scene, crowd, "after a refusal", Sets.Everybody);
    }

    static void Files(int dimension)
    {
        var scene = new Scene(dimension, 61);
        string path = Path.Combine(Path.GetTempPath(), "throng-ä-" + Guid.NewGuid());
        try
        {
            scene.Crowd().Save(path);
            Check.That(File.Exists(path), "the file has the name that was given, letters beyond ASCII too");
            var crowd = new Crowd(dimension);
            crowd.Load(path);
            Same(scene, crowd, "after loading", Sets.Everybody);
            byte[] bytes = File.ReadAllBytes(path);
            File.WriteAllBytes(path, bytes.Take(bytes.Length / 2).ToArray());
            Check.Throws<ThrongException>(() => crowd.Load(path));
            Same(scene, crowd, "after a damaged file", Sets.Everybody);
            var other = new Crowd(5 - dimension);
            File.WriteAllBytes(path, bytes);
            Check.Throws<ThrongException>(() => other.Load(path));
        }
        finally { File.Delete(path); }
        Check.Refused(Code.IoFailed, "the file cannot be opened, read or written", () => new Crowd(2)
            .Load("/nowhere/at/all"));
    }

    static void Counts()
    {
        var scene = new Scene(2, 63);
        Crowd crowd = scene.Crowd();
        CrowdCounts counts = crowd.Counts;
        Check.Same((ulong)Scene.Agents, counts.Agents, "agents");
        Check.Same((ulong)Enumerable.Range(0, Scene.Agents).Count(i => scene.SetOf(i) == Sets.Giants), counts.Giants,
            "giants");
        Check.Same((ulong)Scene.Statics, counts.Statics, "statics");
        Check.Same((ulong)Scene.Agents, counts.IdBound, "the bound of ids");
        Check.Same(8u, counts.Cells.X, "cells");
        CellStats cells = crowd.CellStats;
        Check.Same(counts.Agents - counts.Giants, cells.Agents, "small agents");
        Check.That(cells.UsedCells > 0 && cells.UsedCells <= cells.Cells && cells.Company >= 0, "the stats of cells");
        Check.Lists(Enumerable.Range(0, Scene.Agents).Select(i => (uint)i), crowd.Order().OrderBy(id => id), "the order");
        crowd.Reserve(1000);
        crowd.Clear();
        Check.Same(0ul, crowd.Counts.Agents, "agents after clear()");
        Check.Same((ulong)Scene.Statics, crowd.Counts.Statics, "statics after clear()");
    }

    static void Reorder()
    {
        var scene = new Scene(2, 65);
        Crowd crowd = scene.Crowd();
        uint[] order = crowd.Order(), names = Enumerable.Range(0, order.Length).Select(i => (uint)i).ToArray();
        var near = names.Select(i => new Near(i, i)).ToArray();
        Library.Reorder(order, null, names, near);
        Check.Lists(order, names, "the names");
        Check.Lists(order, near.Select(n => n.Id), "structures");
        var pairs = new KeyValuePair<bool, byte>[order.Length]; // two bytes each, of which C would make five
        for (int i = 0; i < pairs.Length; ++i) pairs[i] = new KeyValuePair<bool, byte>(i % 2 == 0, (byte)i);
        Library.Reorder(order, null, pairs);
        Check.Lists(order.Select(id => (byte)id), pairs.Select(pair => pair.Value), "structures with a bool");
        Check.Throws<ThrongException>(() => Library.Reorder(order, null, new uint[3]));
    }

    static void Periodic()
    {
        var settings = new CrowdSettings(2) { Periodic = 3 }.Bounds(default(Float3), new Float3(16, 16, 0));
        var crowd = new Crowd(settings);
        crowd.Update(Agents.Interleaved(2, new float[] { 0.5f, 0.5f, 15.5f, 15.5f, 8, 8 }));
        Check.Lists(new uint[] { 0, 1 }, Around(crowd, new double[] { 0, 0 }, 1), "around the corner");
    }

    static void Bounds()
    {
        Crowd crowd = new Scene(2, 67).Crowd();
        Check.Same(10ul * Scene.All, crowd.QueryBound(10, Sets.Everybody), "ids");
        Check.Same((ulong)Scene.Agents, crowd.AnswersBound(Order.Ids), "answers");
        Check.That(crowd.NeighboursBound(Sets.Statics) >= (ulong)(Scene.Agents * Scene.Statics), "neighbours");
        Check.That(crowd.PairsBound(PairSets.SmallStatics) > 0, "pairs");
        Check.Same(21ul, Crowd.NearestBound(3, 7), "the nearest");
    }

    static void Memory()
    {
        using (var memory = new MemorySource(200000))
        {
            var crowd = new Crowd(new CrowdSettings(2) { Memory = memory });
            crowd.Update(Agents.Interleaved(2, new float[2000]));
            ulong used, peak, refused;
            memory.Count(out used, out peak, out refused);
            Check.That(used > 0 && peak >= used && refused == 0, "it is used");
            Check.Throws<ThrongException>(() => crowd.Update(Agents.Interleaved(2, new float[200000])));
            Check.Same(1000ul, crowd.Counts.Agents, "agents after the refusal");
            memory.Count(out used, out peak, out refused);
            Check.That(refused > 0, "the refusal is counted");
            crowd.Dispose();
        }
    }
}
