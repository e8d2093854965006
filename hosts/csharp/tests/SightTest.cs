using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>What obstacles hide: the answers without sight, less those whose segment to the asker touches a box.</summary>
static class SightTest
{
    public static void Run() { Check.Both("sight", InSight); }

    static void InSight(int dimension)
    {
        var scene = new Scene(dimension, 41);
        var draw = new Draw(43);
        Crowd crowd = scene.Crowd();
        // Beside the lattice of the agents, so that no segment runs along a side.
        double[][] centres = Enumerable.Range(0, 30).Select(i => scene.Vector(a => draw.Halves(16) + 0.125)).ToArray();
        double[][] halves = centres.Select(c => scene.Vector(a => 0.25 + draw.Halves(2))).ToArray();
        uint[] groups = centres.Select((c, i) => 1u << i % 2).ToArray();
        var obstacles = new Obstacles(dimension);
        Func<int, int, double> side = (i, a) => centres[i][a] - halves[i][a], far = (i, a) => centres[i][a] + halves[i][a];
        Func<int, double[]> lo = i => scene.Vector(a => side(i, a)), hi = i => scene.Vector(a => far(i, a));
        IEnumerable<int> boxes = Enumerable.Range(0, centres.Length);
        if (dimension == 2)
            obstacles.Set(boxes.Select(i => new Box2(Scene.F2(lo(i)), Scene.F2(hi(i)))).ToArray(), groups: groups);
        else obstacles.Set(boxes.Select(i => new Box3(Scene.F3(lo(i)), Scene.F3(hi(i)))).ToArray(), groups: groups);

        foreach (Filter? looks in new Filter?[] { null, Filter.Of(2) })
        {
            Func<double[], uint, bool> sees = (eye, id) => !boxes.Any(i => (looks == null || groups[i] == 2)
                && Scene.Touches(eye, scene.At[scene.Place(id)], centres[i], halves[i]));
            var batch = new Batch();
            var how = new Neighbourhood(3) { Order = Order.Ids };
            uint[][] all = Copy(batch.Neighbours(crowd, how));
            uint[][] truth = all.Select((ids, k) => ids.Where(id => sees(scene.At[k], id)).ToArray()).ToArray();
            Check.That(truth.Sum(t => t.Length) > 20 && truth.Sum(t => t.Length) < all.Sum(t => t.Length),
                "some are hidden");
            Same(truth, Copy(batch.NeighboursInSight(crowd, obstacles, how, looks)));
            var counts = new uint[truth.Length];
            Check.Same((ulong)truth.Sum(t => t.Length), batch.CountNeighboursInSight(crowd, obstacles, how, counts,
                looks), "sum");
            Check.Lists(truth.Select(t => (uint)t.Length), counts, "the counts");

            double[][] from = Enumerable.Range(0, 40).Select(q => scene.Somewhere(draw)).ToArray();
            Questions questions = Scene.Balls(4, from);
            all = Copy(batch.Query(crowd, questions));
            truth = all.Select((ids, q) => ids.Where(id => sees(from[q], id)).ToArray()).ToArray();
            Same(truth, Copy(batch.QueryInSight(crowd, obstacles, questions, looks)));
            counts = new uint[from.Length];
            Check.Same((ulong)truth.Sum(t => t.Length), batch.CountInSight(crowd, obstacles, questions, counts, looks),
                "sum");
            Check.Lists(truth.Select(t => (uint)t.Length), counts, "the counts of balls");
        }
    }

    static uint[][] Copy(Hits hits)
    {
        var lists = new uint[hits.Count][];
        for (int q = 0; q < lists.Length; ++q) lists[q] = hits[q].ToArray();
        return lists;
    }

    static void Same(uint[][] truth, uint[][] got)
    {
        Check.Same(truth.Length, got.Length, "the number of answers");
        for (int q = 0; q < truth.Length; ++q) Check.Lists(truth[q], got[q], "what is in sight");
    }
}
