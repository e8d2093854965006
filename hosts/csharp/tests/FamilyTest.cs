using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>The structures beside crowds, each against the test of each agent.</summary>
sealed class FamilyTest
{
    const int N = 25;
    readonly Scene scene;
    readonly Draw draw = new Draw(41);
    readonly FamilyIndex[] all;

    FamilyTest(int dimension)
    {
        scene = new Scene(dimension, 43);
        for (int i = Scene.Agents; i < Scene.All; ++i) scene.There[i] = false; // there are no statics
        all = Structures(dimension).Select(Filled).ToArray();
    }

    public static void Run()
    {
        Check.Both("indices that are asked", d => new FamilyTest(d).Questions());
        Check.Both("indices that are edited", d => new FamilyTest(d).Edits());
        Check.Both("pairs of indices", d => new FamilyTest(d).Pairs());
        Check.Both("cells of indices", d => new FamilyTest(d).Cells());
        Check.Test("indices that lay themselves out", LaidOut);
        Check.Test("what indices refuse", () => new FamilyTest(2).Refused());
    }

    static Structure[] Structures(int dimension)
    {
        var any = new[] { Structure.BruteForce, Structure.DoubleGrid, Structure.LooseTree };
        return dimension == 3 ? any : any.Concat(new[] { Structure.NestedQuadtree, Structure.TightQuadtree }).ToArray();
    }

    FamilyIndex Filled(Structure structure)
    {
        float side = Scene.World, depth = scene.D == 3 ? 1 : 0;
        FamilySettings settings = new FamilySettings(structure, scene.D) { Kept = Kept.HalfExtents | Kept.Groups }
            .Bounds(default(Float3), new Float3(side, side, side * depth));
        if (structure == Structure.DoubleGrid) settings.Cell(new Float3(2, 2, 2 * depth));
        var index = new FamilyIndex(settings);
        index.Update(scene.Members(0, Scene.Agents), Executor.Serial());
        return index;
    }

    /// <summary>Shapes of one kind, and what each finds.</summary>
    void Ask<A, B>(Func<double[], A> two, Func<double[], B> three, Func<double[], int, bool> finds) where A : struct
        where B : struct
    {
        // A place to stand, and a place to go.
        double[][] drawn = Enumerable.Range(0, N).Select(q => scene.Somewhere(draw).Concat(scene.Somewhere(draw)).ToArray())
            .ToArray();
        Questions asked = scene.D == 2 ? Throng.Questions.Of(drawn.Select(two).ToArray())
            : Throng.Questions.Of(drawn.Select(three).ToArray());
        Filter[] filters = drawn.Select(d => new Filter(1 + (uint)draw.Below(15), (uint)draw.Below(Scene.Agents))).ToArray();
        uint[][] truth = drawn.Select((d, q) => scene.Answer(i => finds(d, i), Sets.Everybody, filters[q]).ToArray())
            .ToArray();
        int total = truth.Sum(ids => ids.Length);
        Check.That(total > 5, "something is found: " + total);
        foreach (FamilyIndex index in all)
        {
            string who = index.Counts.Structure + "'s ";
            var offsets = new ulong[N + 1];
            var ids = new uint[total + 16];
            Check.Same((ulong)total, index.QueryInto(asked.With(filters), offsets, ids), who + "number of ids");
            for (int q = 0; q < N; ++q)
            {
                uint[] found = ids.Skip((int)offsets[q]).Take((int)(offsets[q + 1] - offsets[q])).ToArray();
                Check.Lists(truth[q], found.OrderBy(id => id), who + "ids");
                Questions one = (scene.D == 2 ? Throng.Questions.Of(two(drawn[q])) : Throng.Questions.Of(three(drawn[q])))
                    .With(filters[q]);
                var room = new uint[found.Length + 16];
                Check.Same((ulong)found.Length, index.QueryOne(one, room), who + "number of ids of one");
                Check.Lists(found, room.Take(found.Length), who + "ids of one");
                Check.Same((ulong)found.Length, index.CountOne(one), who + "count of one");
                Check.Same(found.Length != 0, index.AnyOne(one), who + "any of one");
                var seen = new List<uint>();
                Check.Same((ulong)found.Length, index.VisitOne(one, some =>
                {
                    seen.AddRange(some.ToArray());
                    return true;
                }), who + "number of visited ids");
                Check.Lists(truth[q], seen.OrderBy(id => id), who + "visited ids");
            }
        }
    }

    double[] From(double[] drawn) { return drawn.Take(scene.D).ToArray(); }
    double[] To(double[] drawn) { return drawn.Skip(scene.D).ToArray(); }

    void Balls(Body body)
    {
        Ask(d => new BodyBall2(Scene.F2(From(d)), 2, body), d => new BodyBall3(Scene.F3(From(d)), 2, body),
            (d, i) => scene.InBall(From(d), 2, i, body));
    }

    void Questions()
    {
        Ask(d => new Ball2(Scene.F2(From(d)), 3), d => new Ball3(Scene.F3(From(d)), 3),
            (d, i) => scene.InBall(From(d), 3, i, Body.Centre));
        foreach (Body body in new[] { Body.Centre, Body.Box, Body.Disc }) Balls(body);
        Ask(d => new Box2(Scene.F2(From(d)), Scene.F2(Up(d))), d => new Box3(Scene.F3(From(d)), Scene.F3(Up(d))),
            (d, i) => scene.InBox(From(d), Up(d), i));
        Ask(d => new Segment2(Scene.F2(From(d)), Scene.F2(To(d))), d => new Segment3(Scene.F3(From(d)), Scene.F3(To(d))),
            (d, i) => scene.OnSegment(From(d), To(d), i));
        Ask(d => new Sector2(Scene.F2(From(d)), 6, Scene.F2(East), 0.5f), d => new Sector3(Scene.F3(From(d)), 6,
            Scene.F3(East), 0.5f), (d, i) => scene.InSector(From(d), 6, East, 0.5, i, Body.Centre));
        Ask(d => new Cylinder2(Scene.F2(From(d)), 4, 2, 9, 1), d => new Cylinder3(Scene.F3(From(d)), 4, 2, 9, 1),
            (d, i) => scene.InCylinder(From(d), 4, 2, 9, 1, i, Body.Centre));
        Ask(d => new Capsule2(Scene.F2(From(d)), Scene.F2(Along(d)), 1), d => new Capsule3(Scene.F3(From(d)),
            Scene.F3(Along(d)), 1), (d, i) => scene.InCapsule(From(d), Along(d), 1, i));
    }

    double[] East { get { return scene.Vector(a => a == 0 ? 1 : 0); } }
    double[] Up(double[] d) { return From(d).Select(x => x + 3).ToArray(); }
    double[] Along(double[] d) { return From(d).Select((x, a) => a == 0 ? x + 4 : x).ToArray(); }

    void Edits()
    {
        var edits = new List<Edit>();
        for (int i = 0; i < 90; ++i)
        {
            scene.At[i] = scene.Somewhere(draw);
            scene.There[i] = i % 3 != 0;
            edits.Add(scene.There[i] ? Edit.Move((uint)i, Scene.F3(scene.At[i])) : Edit.Erase((uint)i));
        }
        scene.There[3] = true;
        edits.Add(Edit.Insert(3, Scene.F3(scene.At[3]), Scene.F3(scene.Half[3])).InGroups(scene.Groups[3]));
        foreach (FamilyIndex index in all)
        {
            edits.ForEach(index.Edit);
            Check.That(index.Contains(1) && index.Contains(3) && !index.Contains(6) && !index.Contains(5000), "who is there");
            Check.Same((ulong)scene.There.Count(there => there), index.Counts.Agents, "agents");
            Check.Refused(Code.IdUnknown, "edit.id 6 is not in the index", () => index.Edit(Edit.Erase(6)));
        }
        Balls(Body.Box);
        foreach (FamilyIndex index in all) index.Tidy();
        Balls(Body.Box);
        foreach (FamilyIndex index in all)
        {
            index.Clear();
            Check.Same(0ul, index.Counts.Agents, "agents after clear()");
        }
    }

    void Pairs()
    {
        foreach (uint groups in new[] { Crowd.AllGroups, 5u })
        {
            Filter filter = Filter.Of(groups);
            int[] agents = Enumerable.Range(0, Scene.Agents).Where(i => scene.Wants(i, Sets.Everybody, filter)).ToArray();
            ulong[] truth = agents.SelectMany(i => agents.Where(j => i < j && scene.Overlap(i, j))
                .Select(j => Pair((uint)i, (uint)j))).ToArray();
            foreach (FamilyIndex index in all)
            {
                var found = new List<ulong>();
                Check.Same((ulong)truth.Length, index.VisitPairs(groups, (first, second) =>
                {
                    for (long k = 0; k < first.Length; ++k) found.Add(Pair(first[k], second[k]));
                    return true;
                }), "the number of pairs");
                Check.Lists(truth, found.OrderBy(pair => pair), "the pairs");
                uint[] one = new uint[truth.Length], other = new uint[truth.Length];
                Check.Same((ulong)truth.Length, index.PairsInto(groups, one, other), "the number of pairs in arrays");
                Check.Lists(truth, one.Zip(other, Pair).OrderBy(pair => pair), "the pairs in arrays");
                Check.Refused(Code.NoRoom, "out.first is too short: there must be room for " + truth.Length,
                    () => index.PairsInto(groups, new uint[1], new uint[1]));
                Check.Throws<ThrongException>(() => index.PairsInto(groups, one, new uint[1]));
            }
        }
    }

    static ulong Pair(uint a, uint b) { return (ulong)Math.Min(a, b) << 32 | Math.Max(a, b); }

    void Cells()
    {
        foreach (FamilyIndex index in all)
        {
            FamilyCounts counts = index.Counts;
            Cell[] cells = index.Cells();
            ulong kept = (ulong)cells.Sum(cell => cell.Agents);
            Check.Same(scene.D, counts.Dimension, "the dimension");
            // Leaves of a tight quadtree share agents.
            Check.That(kept == Scene.Agents || kept > Scene.Agents && counts.Structure == Structure.TightQuadtree,
                "cells have the agents");
            Check.That(cells.All(cell => cell.Set == Sets.Agents && cell.Lo.X <= cell.Hi.X && cell.Lo.Y <= cell.Hi.Y),
                "cells are boxes");
            Check.That(counts.IndexBytes > 0, "an index takes memory");
            if (cells.Length > 1) Check.Throws<ThrongException>(() => index.Cells(new Cell[1]));
        }
    }

    static void LaidOut()
    {
        foreach (Structure structure in new[] { Structure.BruteForce, Structure.LooseTree, Structure.TightQuadtree })
            using (var index = new FamilyIndex(structure, 2))
            {
                index.Update(Agents.Interleaved(2, new float[] { 1, 1, 2, 1, 900, 900 }));
                Check.Same(2ul, index.CountOne(Throng.Questions.Of(new Ball2(new Float2(1.5f, 1), 0.5f))), "those near");
            }
    }

    void Refused()
    {
        Check.Refused(Code.WrongDimension, "settings.dimension is of another dimension than what is asked",
            () => new FamilyIndex(Structure.TightQuadtree, 3));
        Check.Throws<ThrongException>(() => new FamilyIndex((Structure)77, 2));
        Questions ball = Throng.Questions.Of(new Ball2(new Float2(8, 8), 3));
        foreach (FamilyIndex index in all)
        {
            Check.Refused(Code.WrongValue, "question.sets is or has a value that it cannot have",
                () => index.CountOne(ball.To(Sets.Agents)));
            Check.Throws<ThrongException>(() => index.Update(Agents.Interleaved(2, new double[2])));
            Check.Throws<ThrongException>(() => index.QueryInto(ball, new ulong[1], new uint[300]));
            Check.Throws<NotSupportedException>(() => index.VisitOne(ball, ids => { throw new NotSupportedException(); }));
            Check.Throws<ArgumentNullException>(() => index.VisitPairs(1, null));
            Check.Same((ulong)Scene.Agents, index.Counts.Agents, "agents after refusals");
            index.Dispose();
            Check.Throws<ObjectDisposedException>(() => index.CountOne(ball));
        }
    }
}
