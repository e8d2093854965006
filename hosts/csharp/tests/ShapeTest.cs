using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>Every shape in every form of asking, against the test of each member.</summary>
sealed class ShapeTest
{
    const int N = 60;
    readonly Scene scene;
    readonly Draw draw = new Draw(7);
    readonly Crowd crowd;
    readonly Batch batch = new Batch();

    ShapeTest(int dimension)
    {
        scene = new Scene(dimension, 3);
        crowd = scene.Crowd();
    }

    public static void Run()
    {
        Check.Both("boxes", d => new ShapeTest(d).Boxes());
        Check.Both("balls", d => new ShapeTest(d).Balls());
        Check.Both("segments", d => new ShapeTest(d).Segments());
        Check.Both("rays", d => new ShapeTest(d).Rays());
        Check.Both("capsules", d => new ShapeTest(d).Capsules());
        Check.Both("sectors", d => new ShapeTest(d).Sectors());
        Check.Both("cylinders", d => new ShapeTest(d).Cylinders());
        Check.Both("oriented boxes", d => new ShapeTest(d).OrientedBoxes());
        Check.Test("polygons", () => new ShapeTest(2).Polygons());
        Check.Test("frusta", () => new ShapeTest(3).Frusta());
    }

    /// <summary>A shape in the plane, the same in space, whom it finds, and of a path, when.</summary>
    sealed class Drawn<A, B>
    {
        public A Two;
        public B Three;
        public Func<int, bool> Finds;
        public Func<int, double> Time;
    }

    static Drawn<A, B> Shape<A, B>(A two, B three, Func<int, bool> finds, Func<int, double> time = null)
    {
        return new Drawn<A, B> { Two = two, Three = three, Finds = finds, Time = time };
    }

    void Ask<A, B>(Func<Drawn<A, B>> draw) where A : struct where B : struct
    {
        Drawn<A, B>[] drawn = Enumerable.Range(0, N).Select(q => draw()).ToArray();
        if (scene.D == 2) Ask(drawn.Select(d => d.Two).ToArray(), drawn);
        else Ask(drawn.Select(d => d.Three).ToArray(), drawn);
    }

    void Ask<T, A, B>(T[] shapes, Drawn<A, B>[] drawn) where T : struct
    {
        Func<int, bool>[] finds = drawn.Select(d => d.Finds).ToArray();
        Ask(shapes, finds);
        if (drawn[0].Time == null) return;
        First(Questions.Of(shapes), shapes.Select(shape => Questions.Of(shape)).ToArray(), finds,
            drawn.Select(d => d.Time).ToArray());
    }

    /// <summary>In each form, of each set, with no filter, one, or one for each.</summary>
    void Ask<T>(T[] shapes, Func<int, bool>[] finds) where T : struct
    {
        Filter[] each = shapes.Select((s, q) => new Filter((uint)draw.Below(16), (uint)draw.Below(Scene.Agents))).ToArray();
        Filter all = Filter.Of(5), none = new Filter(Crowd.AllGroups, Crowd.NoId);
        int found = 0;
        foreach (Sets sets in new[] { Sets.Everybody, Sets.Small, Sets.Giants, Sets.Agents, Sets.Statics })
        {
            Questions asked = Questions.Of(shapes).To(sets);
            Same(asked, finds.Select(f => scene.Answer(f, sets, none).ToArray()).ToArray());
            Same(asked.With(all), finds.Select(f => scene.Answer(f, sets, all).ToArray()).ToArray());
            uint[][] truth = finds.Select((f, q) => scene.Answer(f, sets, each[q]).ToArray()).ToArray();
            Same(asked.With(each), truth);
            found += truth.Sum(t => t.Length);
        }
        Check.That(found > 20, "enough was found");
        Check.That(finds.Any(f => !Enumerable.Range(0, Scene.All).All(f)), "not all was found");
        for (int q = 0; q < shapes.Length; ++q)
        {
            Questions one = Questions.Of(shapes[q]);
            uint[] truth = scene.Answer(finds[q], Sets.Everybody, none).ToArray(), ids = new uint[Scene.All + 16];
            Check.Same((ulong)truth.Length, crowd.QueryOne(one, ids), "the number of one");
            Check.Lists(truth, ids.Take(truth.Length).OrderBy(id => id), "the ids of one");
            Check.Same((ulong)truth.Length, crowd.CountOne(one), "the count of one");
            Check.Same(truth.Length != 0, crowd.AnyOne(one), "any of one");
            Visited(one, ids.Take(truth.Length).ToArray());
            QueryCosts costs = crowd.Explain(one);
            Check.Same((ulong)truth.Length, costs.SmallAgents + costs.Giants + costs.Statics, "what explain() finds");
        }
    }

    /// <summary>All ids in the same order, and then only some of them.</summary>
    void Visited(Questions one, uint[] truth)
    {
        var seen = new List<uint>();
        Check.Same((ulong)truth.Length, crowd.VisitOne(one, ids =>
        {
            seen.AddRange(ids.ToArray());
            return true;
        }), "how many are visited");
        Check.Lists(truth, seen, "those that are visited");
        seen.Clear();
        ulong some = crowd.VisitOne(one, ids =>
        {
            seen.AddRange(ids.ToArray());
            return false;
        });
        Check.Same((ulong)seen.Count, some, "how many are seen");
        Check.That(some > 0 || truth.Length == 0, "some are seen");
        Check.Lists(truth.Take(seen.Count), seen, "the first that are visited");
    }

    /// <summary>All hits of a path, in one answer, and one after another.</summary>
    void AllAlong(Questions path, Func<int, bool> finds, Func<int, double> time)
    {
        uint[] truth = Enumerable.Range(0, Scene.All).Where(finds).Select(scene.Name).ToArray();
        var room = new Meeting[truth.Length];
        Check.Same((ulong)truth.Length, crowd.MeetingsOne(path, room), "the number of hits");
        Check.Lists(truth, room.Select(hit => hit.Id).OrderBy(id => id), "the hits");
        Check.Lists(room.OrderBy(hit => hit.Time).ThenBy(hit => hit.Id), room, "the hits in order");
        Meeting last = Meeting.BeforeAll;
        foreach (Meeting hit in room)
        {
            Check.Close(time(scene.Place(hit.Id)), hit.Time, "the time of a hit");
            last = crowd.FirstAfterOne(path, last);
            Check.Same(hit, last, "the next hit");
        }
        Check.Same(Crowd.NoId, crowd.FirstAfterOne(path, last).Id, "no hit after the last");
        if (truth.Length == 0) return;
        ThrongException refused = Check.Refused(Code.NoRoom, "meetings is too short: there must be room for " + truth.Length,
            () => crowd.MeetingsOne(path, new Meeting[truth.Length - 1]));
        Check.Same((ulong)truth.Length, refused.Index, "the room that is needed");
    }

    void Same(Questions asked, uint[][] truth)
    {
        Hits hits = batch.Query(crowd, asked);
        ulong total = (ulong)truth.Sum(t => t.Length);
        Check.Same(truth.Length, hits.Count, "the number of answers");
        Check.Same((long)total, hits.Ids.Length, "the number of ids");
        var rank = crowd.Order().Select((id, k) => new { id, k }).ToDictionary(x => x.id, x => x.k);
        for (int q = 0; q < truth.Length; ++q)
        {
            uint[] got = hits[q].ToArray();
            Check.Lists(truth[q], got.OrderBy(id => id), "the ids of question " + q);
            Check.Lists(got.OrderBy(id => scene.SetOf(scene.Place(id))), got, "the sets, in order,");
            IEnumerable<uint> small = got.Where(id => scene.SetOf(scene.Place(id)) == Sets.Small);
            Check.Lists(small.OrderBy(id => rank[id]), small, "the small agents, in order,");
        }
        uint[] ids = hits.Ids.ToArray();
        ulong[] offsets = hits.Offsets.ToArray();

        var offsetRoom = new ulong[truth.Length + 1];
        var idRoom = new uint[ids.Length];
        Check.Same(total, batch.QueryInto(crowd, asked, offsetRoom, idRoom), "the number of ids in an array");
        Check.Lists(offsets, offsetRoom, "the offsets in an array");
        Check.Lists(ids, idRoom, "the ids in an array");
        var counts = new uint[truth.Length];
        Check.Same(total, batch.Count(crowd, asked, counts), "the sum of the counts");
        Check.Lists(truth.Select(t => (uint)t.Length), counts, "the counts");
        ulong some = (ulong)truth.Count(t => t.Length != 0);
        Check.Same(some, batch.Any(crowd, asked, counts), "how many find any");
        Check.Lists(truth.Select(t => t.Length == 0 ? 0u : 1u), counts, "which find any");
    }

    /// <summary>The first hits, at times that are right, and of those at the least time the smallest id.</summary>
    void First(Questions paths, Questions[] each, Func<int, bool>[] finds, Func<int, double>[] time)
    {
        var first = new Meeting[finds.Length];
        ulong sum = batch.First(crowd, paths, first);
        Check.Same((ulong)finds.Count(f => Enumerable.Range(0, Scene.All).Any(f)), sum, "how many hit something");
        for (int q = 0; q < finds.Length; ++q)
        {
            AllAlong(each[q], finds[q], time[q]);
            int[] hit = Enumerable.Range(0, Scene.All).Where(finds[q]).ToArray();
            Meeting one = crowd.FirstOne(each[q]);
            Check.Same(first[q].Id, one.Id, "the first of one");
            if (hit.Length == 0)
            {
                Check.Same(Crowd.NoId, first[q].Id, "no hit");
                continue;
            }
            double least = hit.Min(i => time[q](i));
            Check.Close(least, first[q].Time, "the time");
            Check.Same(first[q].Time, one.Time, "the time of one");
            // Two that are as good as equal may round apart; what is exactly at time 0 may not.
            IEnumerable<uint> possible = hit.Where(i => time[q](i) <= least + 1e-5).Select(scene.Name);
            Check.That(possible.Contains(first[q].Id), "the first hit is a first one");
            if (least == 0) Check.Same(possible.Min(), first[q].Id, "the smallest id");
        }
    }

    double[] Place() { return scene.Vector(a => draw.Halves(Scene.World + 1)); }
    double[] Plus(double[] v, Func<int, double> more) { return scene.Vector(a => v[a] + more(a)); }

    double[] Direction()
    {
        double[] v = scene.Vector(a => draw.Below(5) - 2);
        if (v.All(x => x == 0)) v[0] = 1;
        return v;
    }

    void Boxes()
    {
        Ask(() =>
        {
            // A few are inverted, and find nothing.
            double[] lo = Place(), hi = Plus(lo, a => draw.Halves(6) - (draw.Below(16) == 0 ? 1 : 0));
            return Shape(new Box2(Scene.F2(lo), Scene.F2(hi)), new Box3(Scene.F3(lo), Scene.F3(hi)),
                i => scene.InBox(lo, hi, i));
        });
    }

    void Balls()
    {
        Ask(() =>
        {
            double[] centre = Place();
            double radius = draw.Halves(6);
            return Shape(new Ball2(Scene.F2(centre), (float)radius), new Ball3(Scene.F3(centre), (float)radius),
                i => scene.InBall(centre, radius, i, Body.Centre));
        });
        Ask(() =>
        {
            double[] centre = Place();
            double radius = draw.Halves(6);
            Body body = (Body)draw.Below(3);
            return Shape(new BodyBall2(Scene.F2(centre), (float)radius, body),
                new BodyBall3(Scene.F3(centre), (float)radius, body), i => scene.InBall(centre, radius, i, body));
        });
    }

    void Segments()
    {
        Ask(() =>
        {
            double[] from = Place(), to = Place();
            return Shape(new Segment2(Scene.F2(from), Scene.F2(to)), new Segment3(Scene.F3(from), Scene.F3(to)),
                i => scene.OnSegment(from, to, i), i => scene.TimeOnSegment(from, to, i));
        });
    }

    void Rays()
    {
        Ask(() =>
        {
            double[] from = Place(), way = Direction();
            double length = draw.Below(9);
            double[] to = Plus(from, a => way[a] * length);
            return Shape(new Ray2(Scene.F2(from), Scene.F2(way), (float)length),
                new Ray3(Scene.F3(from), Scene.F3(way), (float)length), i => scene.OnSegment(from, to, i),
                i => length * scene.TimeOnSegment(from, to, i));
        });
    }

    void Capsules()
    {
        Ask(() =>
        {
            // Ways whose squared length is a power of two, so that nothing rounds.
            double[] from = Place();
            int first = draw.Below(scene.D), second = (first + 1) % scene.D;
            double length = 4 * draw.Below(3), aside = draw.Below(2) == 0 ? length : 0;
            double[] to = Plus(from, a => a == first ? length : a == second ? -aside : 0);
            double radius = 0.25 * draw.Below(6);
            return Shape(new Capsule2(Scene.F2(from), Scene.F2(to), (float)radius),
                new Capsule3(Scene.F3(from), Scene.F3(to), (float)radius), i => scene.InCapsule(from, to, radius, i),
                i => scene.TimeOfCapsule(from, to, radius, i));
        });
    }

    void Sectors()
    {
        Sector((centre, way, radius, cosine, body) => Shape(
            new Sector2(Scene.F2(centre), radius, Scene.F2(way), cosine),
            new Sector3(Scene.F3(centre), radius, Scene.F3(way), cosine),
            i => scene.InSector(centre, radius, way, cosine, i, Body.Centre)));
        Sector((centre, way, radius, cosine, body) => Shape(
            new BodySector2(Scene.F2(centre), radius, Scene.F2(way), cosine, body),
            new BodySector3(Scene.F3(centre), radius, Scene.F3(way), cosine, body),
            i => scene.InSector(centre, radius, way, cosine, i, body)));
    }

    void Sector<A, B>(Func<double[], double[], float, float, Body, Drawn<A, B>> make) where A : struct where B : struct
    {
        Ask(() => make(Place(), Direction(), draw.Below(8), 0.5f * (draw.Below(5) - 2), (Body)draw.Below(3)));
    }

    void Cylinders()
    {
        Cylinder((centre, radius, low, high, up, body) => Shape(
            new Cylinder2(Scene.F2(centre), radius, low, high, 1), new Cylinder3(Scene.F3(centre), radius, low, high, up),
            i => scene.InCylinder(centre, radius, low, high, (int)up, i, Body.Centre)));
        Cylinder((centre, radius, low, high, up, body) => Shape(
            new BodyCylinder2(Scene.F2(centre), radius, low, high, 1, body),
            new BodyCylinder3(Scene.F3(centre), radius, low, high, up, body),
            i => scene.InCylinder(centre, radius, low, high, (int)up, i, body)));
    }

    void Cylinder<A, B>(Func<double[], float, float, float, uint, Body, Drawn<A, B>> make) where A : struct
        where B : struct
    {
        Ask(() =>
        {
            float low = (float)draw.Halves(Scene.World), high = low + (float)draw.Halves(6);
            return make(Place(), (float)draw.Halves(6), low, high, (uint)(1 + draw.Below(scene.D - 1)),
                (Body)draw.Below(3));
        });
    }

    void OrientedBoxes()
    {
        Ask(() =>
        {
            double[] centre = Place();
            // Turned by the angle of 3, 4, 5 on the first two axes, so all is exact.
            double k = 0.5 * (1 + draw.Below(2)), m = 0.5 * (1 + draw.Below(2)), height = draw.Below(4);
            double[] u = scene.Vector(a => a == 0 ? 3 * k : a == 1 ? 4 * k : 0);
            double[] v = scene.Vector(a => a == 0 ? -4 * m : a == 1 ? 3 * m : 0);
            double[] w = { 0, 0, height };
            double[] reach = scene.Vector(a => a == 2 ? height : Math.Abs(u[a]) + Math.Abs(v[a]));
            double[] lo = Scene.Less(centre, reach), hi = Plus(centre, a => reach[a]);
            return Shape(new OrientedBox2(Scene.F2(centre), Scene.F2(u), Scene.F2(v)),
                new OrientedBox3(Scene.F3(centre), Scene.F3(u), Scene.F3(v), Scene.F3(w)),
                i => scene.InBox(lo, hi, i) && new[] { u, v }.All(edge =>
                {
                    double[] back = scene.Vector(a => -edge[a]);
                    double middle = Scene.Dot(edge, centre), length2 = Scene.Dot(edge, edge);
                    return !scene.Beyond(edge, middle + length2, i) && !scene.Beyond(back, length2 - middle, i);
                }));
        });
    }

    void Polygons()
    {
        Ask(() =>
        {
            // A house, whose roof slopes by one, either way round.
            double[] at = Place(), hi = { at[0] + 4, at[1] + 5 };
            var corners = new[] { new Float2(0, 0), new Float2(4, 0), new Float2(4, 3), new Float2(2, 5), new Float2(0, 3) }
                .Select(c => new Float2(c.X + (float)at[0], c.Y + (float)at[1]));
            return Shape(Convex2.Polygon((draw.Below(2) == 0 ? corners : corners.Reverse()).ToArray()), default(Convex3),
                i => scene.InBox(at, hi, i) && !scene.Beyond(new double[] { 1, 1 }, at[0] + at[1] + 7, i)
                    && !scene.Beyond(new double[] { -1, 1 }, at[1] - at[0] + 3, i));
        });
    }

    void Frusta()
    {
        Ask(() =>
        {
            // Looks along x, and is twice as wide at its far side.
            double[] at = Place(), lo = Plus(at, a => a == 0 ? 0 : -4), hi = Plus(at, a => 4);
            Convex3 frustum = Convex3.Frustum(Enumerable.Range(0, 8).Select(c =>
            {
                double wide = c < 4 ? 2 : 4, y = c % 4 == 0 || c % 4 == 3 ? -wide : wide, z = c % 4 < 2 ? -wide : wide;
                return Scene.F3(Plus(at, a => a == 0 ? (c < 4 ? 0 : 4) : a == 1 ? y : z));
            }).ToArray());
            return Shape(default(Convex2), frustum, i => scene.InBox(lo, hi, i) && new[] { 1, 2 }.All(axis =>
                new[] { -1, 1 }.All(side => !scene.Beyond(scene.Vector(a => a == 0 ? -1 : a == axis ? 2 * side : 0),
                    4 + 2 * side * at[axis] - at[0], i))));
        });
    }
}
