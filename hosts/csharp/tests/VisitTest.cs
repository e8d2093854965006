using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Throng;

/// <summary>Answers that are handed to delegates: how long views live there, and what becomes of exceptions.</summary>
sealed class VisitTest
{
    readonly Scene scene;
    readonly Crowd crowd;

    VisitTest(int dimension)
    {
        scene = new Scene(dimension, 35);
        crowd = scene.Crowd();
    }

    public static void Run()
    {
        Check.Both("pairs that are visited", d => new VisitTest(d).Pairs());
        Check.Test("views end with the visit", () => new VisitTest(2).Views());
        Check.Test("visits inside of visits", () => new VisitTest(2).Inside());
        Check.Test("visitors that throw", () => new VisitTest(2).Throwing());
        Check.Both("neighbours that are visited", d => new VisitTest(d).Neighbours());
        Check.Test("visitors that throw on many threads", () => new VisitTest(2).ThrowingOnThreads());
    }

    static readonly Questions everywhere = Questions.Of(new Ball2(new Float2(8, 8), 5));

    void Pairs()
    {
        foreach (var how in new[] { null, new Pairing { Sets = PairSets.AllPairs },
            new Pairing { Sets = PairSets.AllPairs, Groups = 5 } })
        {
            PairSets sets = how == null ? PairSets.AgentPairs : how.Sets;
            uint groups = how == null ? Crowd.AllGroups : how.Groups;
            var filter = Filter.Of(groups);
            var truth = new SortedSet<string>();
            for (int i = 0; i < Scene.All; ++i)
                for (int j = 0; j < i; ++j)
                    if ((scene.PairOf(i, j) & sets) != 0 && scene.Overlap(i, j) && scene.Wants(i, Sets.Everybody, filter)
                        && scene.Wants(j, Sets.Everybody, filter)) truth.Add(Pair(scene.Name(i), scene.Name(j)));
            var found = new List<string>();
            Check.Same((ulong)truth.Count, crowd.VisitPairs(how, (first, second) =>
            {
                for (long k = 0; k < first.Length; ++k) found.Add(Pair(first[k], second[k]));
                return true;
            }), "the number of pairs");
            Check.Lists(truth, found.OrderBy(pair => pair, StringComparer.Ordinal), "the pairs");
            long some = 0;
            ulong visited = crowd.VisitPairs(how, (first, second) =>
            {
                some += first.Length;
                return false;
            });
            Check.That(visited == (ulong)some && some > 0 && some < truth.Count, "it stops");
        }
        Check.Refused(Code.WrongValue, "pairing.within is or has a value that it cannot have",
            () => crowd.VisitPairs(new Pairing { Within = 1 }, (first, second) => true));
        Check.Throws<ArgumentNullException>(() => crowd.VisitPairs(null, null));
        Check.Throws<ArgumentNullException>(() => crowd.VisitOne(everywhere, null));
    }

    static string Pair(uint a, uint b) { return Math.Min(a, b).ToString("D10") + " " + Math.Max(a, b).ToString("D10"); }

    void Views()
    {
        var kept = new List<IdView>();
        crowd.VisitOne(everywhere, ids =>
        {
            Check.Throws<ArgumentOutOfRangeException>(() => { uint id = ids[ids.Length]; });
            foreach (IdView old in kept) Check.Throws<InvalidOperationException>(() => old.ToArray());
            kept.Add(ids);
            return true;
        });
        Check.That(kept.Count > 0, "there were views");
        foreach (IdView old in kept) Check.Throws<InvalidOperationException>(() => { uint id = old[0]; });
    }

    void Inside()
    {
        var ids = new uint[Scene.All + 16];
        uint[] truth = ids.Take((int)crowd.QueryOne(everywhere, ids)).ToArray();
        List<uint> outer = new List<uint>(), inner = null;
        crowd.VisitOne(everywhere, some =>
        {
            inner = new List<uint>();
            crowd.VisitOne(everywhere, again =>
            {
                inner.AddRange(again.ToArray());
                return true;
            });
            GC.Collect();
            outer.AddRange(some.ToArray()); // which the inner visit has not ended
            return true;
        });
        Check.That(truth.Length > 10, "there are hits");
        Check.Lists(truth, outer, "what the outer visit sees");
        Check.Lists(truth, inner, "what the inner visit sees");
    }

    void Throwing()
    {
        int calls = 0;
        var thrown = Check.Throws<NotSupportedException>(() => crowd.VisitOne(everywhere, ids =>
        {
            ++calls;
            throw new NotSupportedException("no more");
        }));
        Check.Same("no more", thrown.Message, "what the visitor threw");
        Check.That(thrown.StackTrace.Contains("Throwing"), "where it threw it");
        Check.Same(1, calls, "calls of the visitor");
        // What is refused inside goes out as it is.
        Check.Refused(Code.NotFinite, "question.shapes[0] is NaN or infinite", () => crowd.VisitPairs(null,
            (first, second) => crowd.AnyOne(Questions.Of(new Ball2(new Float2(float.NaN, 0), 1)))));
        Check.That(crowd.VisitOne(everywhere, ids => true) > 10, "nothing is left of it");
    }

    void Neighbours()
    {
        var lasting = new LastingNeighbours(new LastingSettings(1.5f, 0.5f), Executor.Pool(3));
        Agents agents = scene.Members(0, Scene.Agents);
        Check.Throws<ThrongException>(() => lasting.Visit(agents, (agent, near) => { }));
        LastingFrame frame = lasting.Update(crowd, agents);
        uint[] order = frame.Order.ToArray();
        var seen = new uint[Scene.Agents][];
        var views = new IdView[Scene.Agents];
        lasting.Visit(agents, (agent, near) =>
        {
            Check.That(seen[agent] == null, "each agent comes once");
            seen[agent] = near.ToArray();
            views[agent] = near;
        });
        Hits truth = lasting.Neighbours(agents);
        for (int k = 0; k < order.Length; ++k)
        {
            Check.Lists(truth[k].ToArray().OrderBy(id => id), seen[order[k]].OrderBy(id => id), "the neighbours");
            Check.Throws<InvalidOperationException>(() => views[order[k]].ToArray());
        }
        Check.That(seen.Sum(near => near.Length) > Scene.Agents / 2, "there are neighbours");
        lasting.Visit(agents, (agent, near) => { });
        Check.Throws<InvalidOperationException>(() => truth[0].ToArray());
        Check.Throws<ArgumentNullException>(() => lasting.Visit(agents, null));
    }

    void ThrowingOnThreads()
    {
        var lasting = new LastingNeighbours(new LastingSettings(1.5f, 0.5f), Executor.Pool(3));
        Agents agents = scene.Members(0, Scene.Agents);
        lasting.Update(crowd, agents);
        int calls = 0;
        var thrown = Check.Throws<NotSupportedException>(() => lasting.Visit(agents, (agent, near) =>
        {
            Interlocked.Increment(ref calls);
            throw new NotSupportedException("too near");
        }));
        Check.Same("too near", thrown.Message, "what the visitor threw");
        Check.That(calls >= 1 && calls <= 3, "the others are spared: " + calls);
        lasting.Visit(agents, (agent, near) => { });
    }
}
