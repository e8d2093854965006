using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>What all agents ask at once: neighbours, the nearest, pairs, pairs over time, lists that last.</summary>
sealed class PartyTest
{
    readonly Scene scene;
    readonly Crowd crowd;
    readonly Batch batch = new Batch();

    PartyTest(int dimension)
    {
        scene = new Scene(dimension, 11);
        crowd = scene.Crowd();
    }

    public static void Run()
    {
        Check.Both("neighbours", d => new PartyTest(d).Neighbours());
        Check.Both("nearest to points", d => new PartyTest(d).Nearest());
        Check.Both("nearest neighbours", d => new PartyTest(d).NearestNeighbours());
        Check.Both("pairs", d => new PartyTest(d).Pairs());
        Check.Both("contacts", d => new PartyTest(d).Contacts());
        Check.Both("lasting neighbours", d => new PartyTest(d).Lasting());
    }

    /// <summary>Who answer k belongs to.</summary>
    uint[] Askers(Order order)
    {
        return order == Order.Storage ? crowd.Order() : Enumerable.Range(0, Scene.Agents).Select(i => (uint)i).ToArray();
    }

    void Neighbours()
    {
        foreach (Body body in new[] { Body.Centre, Body.Box, Body.Disc })
            foreach (Order order in new[] { Order.Storage, Order.Ids })
                foreach (Sets sets in new[] { Sets.Everybody, Sets.Giants, Sets.Statics })
                {
                    var how = new Neighbourhood(1.5f) { Body = body, Order = order, Sets = sets,
                        WithSelf = sets == Sets.Giants };
                    if (sets == Sets.Everybody && order == Order.Ids) how.Groups = 6;
                    SameNeighbours(how);
                }
        var later = new Neighbourhood(1.5f) { LaterOnly = true };
        uint[] asking = Askers(Order.Storage);
        var rank = Enumerable.Range(0, asking.Length).ToDictionary(k => asking[k]);
        Hits hits = batch.Neighbours(crowd, later);
        for (int k = 0; k < asking.Length; ++k)
        {
            IEnumerable<uint> truth = Near((int)asking[k], later).Where(id => !rank.ContainsKey(id) || rank[id] > k);
            Check.Lists(truth, hits[k].ToArray().OrderBy(id => id), "those that come later");
        }
    }

    IEnumerable<uint> Near(int i, Neighbourhood how)
    {
        var filter = new Filter(how.Groups, how.WithSelf ? Crowd.NoId : (uint)i);
        // Distances have no rounding but for discs, of which both sides take the root of the same number.
        return scene.Answer(j => scene.Far2(i, j, how.Body) <= how.Radius * how.Radius, how.Sets, filter);
    }

    void SameNeighbours(Neighbourhood how)
    {
        uint[] asking = Askers(how.Order);
        uint[][] truth = asking.Select(id => Near((int)id, how).ToArray()).ToArray();
        ulong total = (ulong)truth.Sum(t => t.Length);
        Check.That(total > 10, "there are neighbours");
        Hits hits = batch.Neighbours(crowd, how);
        Check.Same(truth.Length, hits.Count, "the number of answers");
        for (int k = 0; k < truth.Length; ++k)
            Check.Lists(truth[k], hits[k].ToArray().OrderBy(id => id), "the neighbours of " + asking[k]);
        uint[] ids = hits.Ids.ToArray(), room = new uint[total];
        ulong[] offsets = hits.Offsets.ToArray(), offsetRoom = new ulong[truth.Length + 1];
        Check.Same(total, batch.NeighboursInto(crowd, how, offsetRoom, room), "the number in an array");
        Check.Lists(ids, room, "the ids in an array");
        Check.Lists(offsets, offsetRoom, "the offsets in an array");
        var counts = new uint[truth.Length];
        Check.Same(total, batch.CountNeighbours(crowd, how, counts), "the sum");
        Check.Lists(truth.Select(t => (uint)t.Length), counts, "the counts");
    }

    List<Near> Truth(Func<int, double> far2, Nearest how, uint without)
    {
        var filter = new Filter(how.Groups, without);
        return scene.Answer(j => true, how.Sets, filter)
            .Select(id => new Near((float)far2(scene.Place(id)), id))
            .Where(n => n.Distance2 <= how.Radius * how.Radius && n.Distance2 >= how.Least * how.Least)
            .Where(n => n.Distance2 > how.After.Distance2 || n.Distance2 == how.After.Distance2 && n.Id > how.After.Id)
            .OrderBy(n => n.Distance2).ThenBy(n => n.Id).Take(how.K).ToList();
    }

    static void Same(List<Near> truth, Near[] near)
    {
        Check.Lists(truth.Select(n => n.Id), near.Select(n => n.Id), "the nearest");
        Check.Lists(truth.Select(n => n.Distance2), near.Select(n => n.Distance2), "their distances");
    }

    void Nearest()
    {
        var draw = new Draw(5);
        double[][] from = Enumerable.Range(0, 40).Select(q => scene.Somewhere(draw)).ToArray();
        Points points = Scene.Points(from);
        foreach (Nearest how in new[] {
            new Nearest(1), new Nearest(7) { Body = Body.Box }, new Nearest(9) { Groups = 3, Without = 17, Radius = 4 },
            new Nearest(5) { Least = 2.5f, Sets = Sets.Agents }, new Nearest(4) { After = new Near(4, 40) },
            new Nearest(6) { Band = new HeightBand(1, 1, 2) } })
        {
            NearHits hits = batch.Nearest(crowd, points, how);
            Check.Same(from.Length, hits.Count, "the number of answers");
            var slots = new Near[from.Length * how.K];
            var counts = new uint[from.Length];
            Near[] all = hits.Slots.ToArray();
            ulong total = 0;
            var truths = new List<List<Near>>();
            for (int q = 0; q < from.Length; ++q)
            {
                HeightBand band = how.Band;
                List<Near> truth = Truth(j =>
                {
                    double up = scene.At[j][1] - from[q][1];
                    if (band.Up == 1 && (up < -band.Below || up > band.Above)) return double.PositiveInfinity;
                    double[] way = scene.Way(from[q], j, how.Body);
                    return Scene.Dot(way, way);
                }, how, how.Without);
                Same(truth, hits[q].ToArray());
                total += (ulong)truth.Count;
                truths.Add(truth);
            }
            Check.Same(total, batch.NearestInto(crowd, points, how, slots, counts), "the number in an array");
            Check.Lists(all.Select(n => n.Id), slots.Select(n => n.Id), "the nearest in an array");
            Check.Lists(truths.Select(t => (uint)t.Count), counts, "the counts in an array");
            var one = new Near[how.K];
            float[] coordinates = from[3].Select(x => (float)x).ToArray();
            Check.Same((ulong)truths[3].Count, crowd.NearestOne(Points.Of(scene.D, coordinates), how, one), "of one");
            Same(truths[3], one.Take(truths[3].Count).ToArray());
        }
    }

    void NearestNeighbours()
    {
        foreach (Nearest how in new[] { new Nearest(3), new Nearest(5) { Order = Order.Ids, WithSelf = true, Radius = 2 },
            new Nearest(2) { Body = Body.Box, Sets = Sets.Statics } })
        {
            uint[] asking = Askers(how.Order);
            NearHits hits = batch.NearestNeighbours(crowd, how);
            for (int k = 0; k < asking.Length; ++k)
            {
                int i = (int)asking[k];
                Same(Truth(j => scene.Far2(i, j, how.Body), how, how.WithSelf ? Crowd.NoId : asking[k]), hits[k].ToArray());
            }
            uint[] counts = hits.Counts.ToArray(), room = new uint[asking.Length];
            Near[] all = hits.Slots.ToArray(), slots = new Near[asking.Length * how.K];
            Check.Same((ulong)counts.Sum(c => c), batch.NearestNeighboursInto(crowd, how, slots, room), "the number");
            Check.Lists(counts, room, "the counts in an array");
            Check.Lists(all, slots, "the nearest in an array");
        }
    }

    static ulong Key(uint a, uint b) { return (ulong)Math.Min(a, b) << 32 | Math.Max(a, b); }

    IEnumerable<ulong> PairTruth(Pairing how)
    {
        var filter = Filter.Of(how.Groups);
        for (int i = 0; i < Scene.All; ++i)
            for (int j = 0; j < i; ++j)
            {
                if ((scene.PairOf(i, j) & how.Sets) == 0) continue;
                if (!scene.Wants(i, Sets.Everybody, filter) || !scene.Wants(j, Sets.Everybody, filter)) continue;
                bool meet = how.Within >= 0 ? scene.Far2(i, j, how.Body) <= how.Within * how.Within
                    : how.Body == Body.Disc ? scene.Far2(i, j, Body.Disc) == 0 : scene.Overlap(i, j);
                if (meet) yield return Key(scene.Name(i), scene.Name(j));
            }
    }

    void Pairs()
    {
        foreach (Pairing how in new[] { null, new Pairing { Sets = PairSets.AllPairs }, new Pairing { Within = 1 },
            new Pairing { Within = 0.5f, Body = Body.Box, Sets = PairSets.AllPairs },
            new Pairing { Body = Body.Disc, Sets = PairSets.SmallGiants | PairSets.GiantsStatics },
            new Pairing { Groups = 9 } })
        {
            ulong[] truth = PairTruth(how ?? new Pairing()).OrderBy(k => k).ToArray();
            Check.That(truth.Length > 5, "there are pairs");
            Pairs pairs = batch.Pairs(crowd, how);
            uint[] first = pairs.First.ToArray(), second = pairs.Second.ToArray();
            Check.Lists(truth, first.Zip(second, Key).OrderBy(k => k), "the pairs");
            Check.That(first.All(id => id < Crowd.FirstStatic), "statics come last");
            uint[] firstRoom = new uint[truth.Length], secondRoom = new uint[truth.Length];
            Check.Same((ulong)truth.Length, batch.PairsInto(crowd, how, firstRoom, secondRoom), "the number in arrays");
            Check.Lists(first, firstRoom, "the first ones");
            Check.Lists(second, secondRoom, "the second ones");
            Check.Same((ulong)truth.Length, batch.CountPairs(crowd, how), "the count");
        }
    }

    void Contacts()
    {
        var how = new Pairing { Sets = PairSets.AllPairs };
        var draw = new Draw(23);
        using (var contacts = new Contacts())
        {
            ulong[] before = new ulong[0];
            for (int frame = 0; frame < 4; ++frame)
            {
                if (frame == 3)
                {
                    contacts.Clear();
                    before = new ulong[0];
                }
                ulong[] truth = PairTruth(how).OrderBy(k => k).ToArray();
                ContactFrame met = contacts.Update(crowd, how);
                ulong[] now = met.Pairs.ToArray().Select(c => Key(c.First, c.Second)).ToArray();
                Check.Lists(truth, now, "the pairs, in order,");
                Check.Lists(truth.Except(before), met.Began.ToArray().Select(p => truth[p]), "those that begin");
                Check.Lists(before.Except(truth), met.Ended.ToArray().Select(c => Key(c.First, c.Second)), "those that end");
                Check.Lists(truth.Select(k => Array.BinarySearch(before, k))
                    .Select(p => p < 0 ? Native.THRONG_NO_CONTACT : (uint)p),
                    met.Previous.ToArray(), "where they were");
                Check.Lists(before.Except(truth).Select(k => (uint)Array.BinarySearch(before, k)),
                    met.EndedPrevious.ToArray(),
                    "where those were that end");
                before = truth;
                // A part moves, so that some pairs last.
                for (int i = 0; i < Scene.Agents; i += 3) scene.At[i] = scene.Somewhere(draw);
                crowd.Update(scene.Members(0, Scene.Agents));
            }
            Check.That(contacts.Memory > 0, "it has memory");
            contacts.Release();
        }
    }

    void Lasting()
    {
        using (var lasting = new LastingNeighbours(new LastingSettings(1.5f, 1)))
        {
            var plain = new Neighbourhood(1.5f);
            for (int frame = 0; frame < 6; ++frame)
            {
                // A quarter on either axis in turn: with the third step they are farther than half of the skin.
                if (frame > 0)
                    foreach (double[] at in scene.At.Take(Scene.Agents)) at[frame % 2] += 0.125 * (frame < 5 ? 2 : 1);
                Agents agents = scene.Members(0, Scene.Agents);
                LastingFrame lists = lasting.Update(crowd, agents);
                Check.Same((ulong)(frame % 3), lists.Lasted, "how many frames have kept the lists, in frame " + frame);
                Check.Close(new[] { 0, 0.25, Math.Sqrt(0.125), 0, 0.25, Math.Sqrt(0.078125) }[frame], lists.Moved, "how far");
                Check.Same(frame < 3 ? 1ul : 2ul, lists.Made,
                    "how often lists were made, in frame " + frame);
                uint[] order = lists.Order.ToArray();
                Hits hits = lasting.Neighbours(agents);
                for (int k = 0; k < order.Length; ++k)
                {
                    uint[] truth = Near((int)order[k], plain).ToArray();
                    Check.Lists(truth, hits[k].ToArray().OrderBy(id => id), "the neighbours of " + order[k]);
                    long begin = (long)lists.Offsets[k], end = (long)lists.Offsets[k + 1];
                    uint[] candidates = lists.Candidates.Slice(begin, end - begin).ToArray();
                    Check.That(!truth.Except(candidates).Any(), "they are among the candidates");
                }
            }
            Check.That(lasting.Memory > 0, "it has memory");
            lasting.Release();
        }
    }
}
