using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Throng;

/// <summary>Obstacles, each tested alone by its distance: boxes, turned boxes, walls, triangles.</summary>
sealed class ObstacleTest
{
    const int Boxes = 14, Turned = 10, Thin = 16, All = Boxes + Turned + Thin, Samples = 100;
    readonly int dimension;
    readonly Draw draw = new Draw(31);
    readonly Func<double[], double>[] distance = new Func<double[], double>[All];
    readonly double[][] centres = new double[Boxes][], halves = new double[Boxes][];
    readonly uint[] groups = Enumerable.Range(0, All).Select(i => 1u << i % 4).ToArray();
    readonly Obstacles obstacles;

    public static void Run()
    {
        Check.Both("nearest obstacles", d => new ObstacleTest(d).Nearest());
        Check.Both("obstacles on paths", d => new ObstacleTest(d).Paths());
        Check.Both("obstacles in boxes", d => new ObstacleTest(d).Overlaps());
        Check.Both("obstacles in files", d => new ObstacleTest(d).Files());
        Check.Both("obstacles one by one", d => new ObstacleTest(d).OneByOne());
    }

    /// <summary>What was saved and loaded is what it was.</summary>
    void Files()
    {
        string path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), "throng-ä-" + Guid.NewGuid());
        try
        {
            obstacles.Save(path);
            obstacles.Clear();
            obstacles.Load(path);
            Check.Same((ulong)All, obstacles.Count, "the number of obstacles");
            Nearest();
            Check.Throws<ThrongException>(() => new Obstacles(5 - dimension).Load(path));
            Check.Throws<ThrongException>(() => new Crowd(dimension).Load(path));
        }
        finally { File.Delete(path); }
    }

    double[] Vector(Func<int, double> of) { return Enumerable.Range(0, dimension).Select(of).ToArray(); }
    double[] Place() { return Vector(a => draw.Halves(20) + 0.125); }
    static double Length(double[] v) { return Math.Sqrt(Scene.Dot(v, v)); }

    ObstacleTest(int dimension)
    {
        this.dimension = dimension;
        obstacles = new Obstacles(dimension);
        var boxes2 = new Box2[Boxes];
        var boxes3 = new Box3[Boxes];
        for (int i = 0; i < Boxes; ++i)
        {
            double[] centre = centres[i] = Place(), half = halves[i] = Vector(a => 0.25 + draw.Halves(2));
            double[] lo = Vector(a => centre[a] - half[a]), hi = Vector(a => centre[a] + half[a]);
            boxes2[i] = new Box2(Scene.F2(lo), Scene.F2(hi));
            boxes3[i] = new Box3(Scene.F3(lo), Scene.F3(hi));
            distance[i] = p => OfBox(Scene.Less(p, centre), half);
        }
        var turned2 = new OrientedBox2[Turned];
        var turned3 = new OrientedBox3[Turned];
        for (int i = 0; i < Turned; ++i)
        {
            // Turned by the angle of 3, 4, 5 on the first two axes.
            double[] centre = Place(), half = Vector(a => 0.5 + draw.Halves(2));
            double[][] axes = { Vector(a => a == 0 ? 0.6 : a == 1 ? 0.8 : 0), Vector(a => a == 0 ? -0.8 : a == 1 ? 0.6 : 0),
                Vector(a => a == 2 ? 1 : 0) };
            double[][] edges = axes.Select((axis, e) => Vector(a => e < dimension ? axis[a] * half[e] : 0)).ToArray();
            turned2[i] = new OrientedBox2(Scene.F2(centre), Scene.F2(edges[0]), Scene.F2(edges[1]));
            turned3[i] = new OrientedBox3(Scene.F3(centre), Scene.F3(edges[0]), Scene.F3(edges[1]), Scene.F3(edges[2]));
            distance[Boxes + i] = p => OfBox(Vector(a => Scene.Dot(Scene.Less(p, centre), axes[a])), half);
        }
        var walls = new Wall[Thin];
        var triangles = new Triangle[Thin];
        for (int i = 0; i < Thin; ++i)
        {
            double[] from = Place(), to = Vector(a => from[a] + draw.Halves(4) - 1),
                last = Vector(a => from[a] + draw.Halves(4) - 1);
            last[0] += 2;
            to[1] += 2;
            walls[i] = new Wall(Scene.F2(from), Scene.F2(to), 0.5f);
            triangles[i] = new Triangle(Scene.F3(from), Scene.F3(to), Scene.F3(last));
            if (dimension == 2) distance[Boxes + Turned + i] = p => ToSegment(p, from, to) - 0.25;
            else distance[Boxes + Turned + i] = p => ToTriangle(p, from, to, last);
        }
        if (dimension == 2) obstacles.Set(boxes2, turned2, walls, groups);
        else obstacles.Set(boxes3, turned3, triangles, groups);
        Check.Same((ulong)All, obstacles.Count, "the number of obstacles");
    }

    /// <summary>Inside of a box it is minus the way out.</summary>
    static double OfBox(double[] from, double[] half)
    {
        double[] beyond = from.Zip(half, (x, h) => Math.Abs(x) - h).ToArray();
        return Length(beyond.Select(b => Math.Max(b, 0)).ToArray()) + Math.Min(beyond.Max(), 0);
    }

    static double ToSegment(double[] p, double[] from, double[] to)
    {
        double[] way = Scene.Less(to, from), off = Scene.Less(p, from);
        double time = Math.Min(Math.Max(Scene.Dot(way, off) / Scene.Dot(way, way), 0), 1);
        return Length(off.Zip(way, (o, w) => o - w * time).ToArray());
    }

    static double[] Cross(double[] u, double[] v)
    {
        return new[] { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
    }

    static double ToTriangle(double[] p, double[] a, double[] b, double[] c)
    {
        double[] normal = Cross(Scene.Less(b, a), Scene.Less(c, a));
        double[][] corners = { a, b, c };
        double edges = Enumerable.Range(0, 3).Min(e => ToSegment(p, corners[e], corners[(e + 1) % 3]));
        bool above = Enumerable.Range(0, 3).All(e => Scene.Dot(Cross(normal, Scene.Less(corners[(e + 1) % 3], corners[e])),
            Scene.Less(p, corners[e])) >= 0);
        return above ? Math.Abs(Scene.Dot(normal, Scene.Less(p, a))) / Length(normal) : edges;
    }

    bool Wants(int i, uint wanted, uint without) { return (groups[i] & wanted) != 0 && without != i; }

    /// <summary>An answer of either dimension: the distance or the time, and the place.</summary>
    struct Answer
    {
        public uint Id;
        public float Number;
        public double[] Point;

        public Answer(uint id, float number, params double[] point)
        {
            Id = id;
            Number = number;
            Point = point;
        }
    }

    static Answer Of(ObstacleNear2 n) { return new Answer(n.Id, n.Distance, n.Point.X, n.Point.Y); }
    static Answer Of(ObstacleHit2 h) { return new Answer(h.Id, h.Time, h.Point.X, h.Point.Y); }
    static Answer Of(ObstacleNear3 n) { return new Answer(n.Id, n.Distance, n.Point.X, n.Point.Y, n.Point.Z); }
    static Answer Of(ObstacleHit3 h) { return new Answer(h.Id, h.Time, h.Point.X, h.Point.Y, h.Point.Z); }

    static Answer[] In<T>(T[] room, Func<T, Answer> of, Func<T[], ulong> ask, out ulong number)
    {
        number = ask(room);
        return room.Select(of).ToArray();
    }

    Answer[] Near(int room, Func<Items<ObstacleNear2>, ulong> two, Func<Items<ObstacleNear3>, ulong> three,
        out ulong number)
    {
        return dimension == 2 ? In(new ObstacleNear2[room], Of, answers => two(answers), out number)
            : In(new ObstacleNear3[room], Of, answers => three(answers), out number);
    }

    Answer[] Hits(int room, Func<Items<ObstacleHit2>, ulong> two, Func<Items<ObstacleHit3>, ulong> three,
        out ulong number)
    {
        return dimension == 2 ? In(new ObstacleHit2[room], Of, answers => two(answers), out number)
            : In(new ObstacleHit3[room], Of, answers => three(answers), out number);
    }

    void Nearest()
    {
        double[][] from = Enumerable.Range(0, 80).Select(q => Place()).ToArray();
        foreach (ObstacleSearch search in new[] { null, new ObstacleSearch { Within = 1.5f },
            new ObstacleSearch { Groups = 6, Without = 5 } })
        {
            uint wanted = search == null ? Crowd.AllGroups : search.Groups;
            uint without = search == null ? Crowd.NoId : search.Without;
            double within = search == null ? 1e18 : search.Within;
            ulong sum;
            Answer[] near = Near(from.Length, room => obstacles.Nearest(Scene.Points(from), room, search),
                room => obstacles.Nearest(Scene.Points(from), room, search), out sum);
            Answer[] ones = from.Select(p => dimension == 2 ? Of(obstacles.NearestOne(Scene.F2(p), search))
                : Of(obstacles.NearestOne(Scene.F3(p), search))).ToArray();
            Check.Lists(near.Select(n => n.Id), ones.Select(n => n.Id), "the nearest one by one");
            for (int q = 0; q < from.Length; ++q)
            {
                double least = Enumerable.Range(0, All).Where(i => Wants(i, wanted, without)).Min(i => distance[i](from[q]));
                if (near[q].Id == Crowd.NoId)
                {
                    Check.That(least > within - 1e-4, "there is none");
                    Check.That(float.IsPositiveInfinity(near[q].Number), "its distance is infinite");
                    continue;
                }
                Check.Close(least, near[q].Number, "the distance");
                Check.That(least < within + 1e-4 && Wants((int)near[q].Id, wanted, without), "it counts");
                Check.Close(least, distance[near[q].Id](from[q]), "the distance of that obstacle");
                Check.Close(0, distance[near[q].Id](near[q].Point), "the place is on its surface: the distance");
                Check.Close(Math.Abs(least), Length(Scene.Less(near[q].Point, from[q])), "the way there");
            }
            Check.Same((ulong)near.Count(n => n.Id != Crowd.NoId), sum, "how many have one");
        }
        Within(from);
        WithinEach(from);
    }

    void Within(double[][] from)
    {
        foreach (double[] p in from)
        {
            ulong count;
            Questions ball = Scene.Balls(2, p).With(Filter.Of(7));
            Answer[] got = Near(All, room => obstacles.Within(ball, room), room => obstacles.Within(ball, room), out count)
                .Take((int)count).ToArray();
            Check.Lists(got.OrderBy(n => n.Number).ThenBy(n => n.Id).Select(n => n.Id), got.Select(n => n.Id),
                "by distance");
            foreach (var n in got) Check.Close(distance[n.Id](p), n.Number, "the distance");
            Found(got.Select(n => n.Id), i => distance[i](p) - 2, 7);
        }
    }

    /// <summary>One call for all balls finds what a call for each finds.</summary>
    void WithinEach(double[][] from)
    {
        ulong count, own, sum = 0;
        var offsets = new ulong[from.Length + 1];
        Questions balls = Scene.Balls(2, from).With(Filter.Of(7));
        Answer[] got = Near(All * from.Length, room => obstacles.WithinEach(balls, offsets, room),
            room => obstacles.WithinEach(balls, offsets, room), out count);
        for (int q = 0; q < from.Length; ++q)
        {
            Questions ball = Scene.Balls(2, from[q]).With(Filter.Of(7));
            Answer[] alone = Near(All, room => obstacles.Within(ball, room), room => obstacles.Within(ball, room), out own);
            Check.Same(sum, offsets[q], "where its answers begin");
            Check.Lists(alone.Take((int)own).Select(n => n.Id), got.Skip((int)sum).Take((int)own).Select(n => n.Id),
                "those of one ball");
            sum += own;
        }
        Check.Same(sum, offsets[from.Length], "where the last ones end");
        Check.Same(sum, count, "how many there are");
    }

    /// <summary>Those with a number well below zero must be there, those well above must not.</summary>
    void Found(IEnumerable<uint> ids, Func<int, double> number, uint wanted, double slack = 1e-4)
    {
        var found = new HashSet<uint>(ids);
        for (int i = 0; i < All; ++i)
        {
            bool there = found.Contains((uint)i);
            double n = Wants(i, wanted, Crowd.NoId) ? number(i) : double.PositiveInfinity;
            Check.That(n > -1e-4 || there, "obstacle " + i + " is found: " + n);
            Check.That(n < slack || !there, "obstacle " + i + " is not found: " + n);
        }
    }

    void Paths()
    {
        for (int q = 0; q < 30; ++q)
        {
            double[] from = Place(), to = Vector(a => from[a] + draw.Halves(12) - 3);
            to[0] += 0.5;
            double radius = 0.25 * draw.Below(4);
            Sight(from, to);
            Path(from, to, 0, 1, Questions.Of(new Segment2(Scene.F2(from), Scene.F2(to))),
                Questions.Of(new Segment3(Scene.F3(from), Scene.F3(to))));
            double[] way = Scene.Less(to, from);
            Path(from, to, 0, 2, Questions.Of(new Ray2(Scene.F2(from), Scene.F2(way.Select(w => w / 2).ToArray()), 2)),
                Questions.Of(new Ray3(Scene.F3(from), Scene.F3(way.Select(w => w / 2).ToArray()), 2)));
            Path(from, to, radius, 1, Questions.Of(new Capsule2(Scene.F2(from), Scene.F2(to), (float)radius)),
                Questions.Of(new Capsule3(Scene.F3(from), Scene.F3(to), (float)radius)));
        }
    }

    /// <summary>Along the path, the least distance of an obstacle, sampled.</summary>
    double Least(int i, double[] from, double[] to, double until)
    {
        double least = double.PositiveInfinity;
        for (int s = 0; s <= Samples; ++s)
            least = Math.Min(least, distance[i](Vector(a => from[a] + (to[a] - from[a]) * until * s / Samples)));
        return least;
    }

    void Path(double[] from, double[] to, double radius, double end, Questions two, Questions three)
    {
        Questions path = dimension == 2 ? two : three;
        double step = Length(Scene.Less(to, from)) / Samples; // a sample is at most half of it away from what lies between
        ulong sum, count;
        Answer first = Hits(1, room => obstacles.First(path, room), room => obstacles.First(path, room), out sum)[0], one;
        if (dimension == 2)
        {
            ObstacleHit2 hit;
            obstacles.FirstOne(path, out hit);
            one = Of(hit);
        }
        else
        {
            ObstacleHit3 hit;
            obstacles.FirstOne(path, out hit);
            one = Of(hit);
        }
        Answer[] all = Hits(All, room => obstacles.Hits(path, room), room => obstacles.Hits(path, room), out count)
            .Take((int)count).ToArray();
        Check.Same(first.Id, one.Id, "the first of one");
        Check.Same(first.Number, one.Number, "its time");
        Check.Same(first.Id == Crowd.NoId ? 0ul : 1ul, sum, "how many hit one");
        Check.Same(first.Id != Crowd.NoId, all.Length != 0, "whether there are any");
        Found(all.Select(h => h.Id), i => Least(i, from, to, 1) - radius, Crowd.AllGroups, step + 1e-4);
        Check.Lists(all.OrderBy(h => h.Number).ThenBy(h => h.Id).Select(h => h.Id), all.Select(h => h.Id),
            "by time");
        foreach (var hit in all)
        {
            double time = hit.Number / end;
            double[] at = Vector(a => from[a] + (to[a] - from[a]) * time);
            double there = distance[hit.Id](at) - radius;
            Check.That(time >= 0 && time <= 1 && (time == 0 ? there < 1e-3 : Math.Abs(there) < 1e-3),
                "it touches then: " + there);
            Check.That(time == 0 || Least((int)hit.Id, from, to, time) - radius > -1e-3, "and not before");
        }
        if (all.Length != 0) Check.Same(all[0].Id, first.Id, "the first of all");
    }

    void Sight(double[] from, double[] to)
    {
        Questions segment = dimension == 2 ? Questions.Of(new Segment2(Scene.F2(from), Scene.F2(to)))
            : Questions.Of(new Segment3(Scene.F3(from), Scene.F3(to)));
        var clear = new byte[1];
        ulong sum = obstacles.Sight(segment, clear);
        Check.Same((ulong)clear[0], sum, "how many are clear");
        Check.Same(clear[0] != 0, obstacles.SightOne(segment), "whether one is clear");
        // What lies between two samples is at most half a step nearer.
        double least = Enumerable.Range(0, All).Min(i => Least(i, from, to, 1));
        double step = Length(Scene.Less(to, from)) / Samples;
        if (least < -1e-4) Check.Same((byte)0, clear[0], "whether it is clear");
        if (least > step + 1e-4) Check.Same((byte)1, clear[0], "whether it is clear");
    }

    void Overlaps()
    {
        for (int q = 0; q < 20; ++q)
        {
            double[] centre = Place(), half = Vector(a => 0.25 + draw.Halves(3));
            double[] lo = Vector(a => centre[a] - half[a]), hi = Vector(a => centre[a] + half[a]);
            var ids = new uint[All];
            uint[] got = ids.Take((int)obstacles.Overlaps(Scene.Box(lo, hi), ids)).ToArray();
            Check.Lists(got.OrderBy(id => id), got, "by id");
            // Touching counts, and is exact between boxes that are not turned.
            for (uint i = 0; i < Boxes; ++i)
                Check.Same(Enumerable.Range(0, dimension)
                    .All(a => Math.Abs(centre[a] - centres[i][a]) <= half[a] + halves[i][a]),
                    got.Contains(i), "whether box " + i + " is found");
            // A lattice of points in the box; what touches it is no farther from one than half a step on each axis.
            int steps = dimension == 2 ? 20 : 6;
            double slack = Length(half) * 2 / steps + 1e-4;
            Found(got, i => Enumerable.Range(0, (int)Math.Pow(steps + 1, dimension)).Min(n => distance[i](Vector(a =>
                lo[a] + 2 * half[a] * (n / (int)Math.Pow(steps + 1, a) % (steps + 1)) / steps))), Crowd.AllGroups, slack);
        }
    }

    void OneByOne()
    {
        Check.That(obstacles.Contains(3) && !obstacles.Contains(All), "it knows its ids");
        obstacles.Erase(3);
        Check.That(!obstacles.Contains(3) && obstacles.Count == All - 1, "it is erased");
        double[] far = Vector(a => 500);
        if (dimension == 2)
        {
            obstacles.Insert(3, new Wall(new Float2(500, 490), new Float2(500, 500), 1));
            Check.Close(-0.5, obstacles.NearestOne(Scene.F2(far)).Distance, "the distance of what was inserted");
            obstacles.Replace(3, new Box2(new Float2(502, 490), new Float2(510, 510)), 2);
            Check.Close(2, obstacles.NearestOne(Scene.F2(far)).Distance, "the distance of what replaced it");
            Check.Refused(Code.WrongDimension, "shape is of another dimension than what is asked",
                () => obstacles.Insert(99, new Triangle(new Float3(), new Float3(1, 0, 0), new Float3(0, 1, 0))));
        }
        else
        {
            obstacles.Insert(3, new Triangle(new Float3(490, 490, 501), new Float3(600, 490, 501),
                new Float3(490, 600, 501)));
            Check.Close(1, obstacles.NearestOne(Scene.F3(far)).Distance, "the distance of what was inserted");
            obstacles.Replace(3, new Box3(new Float3(502, 490, 490), new Float3(510, 510, 510)), 2);
            Check.Close(2, obstacles.NearestOne(Scene.F3(far)).Distance, "the distance of what replaced it");
            // A box that moves meets it when its front has gone the way between the two.
            ObstacleHit3 hit;
            var moving = new MovingBox3(new Box3(new Float3(499, 499, 499), new Float3(500, 500, 500)), new Float3(8, 0, 0));
            obstacles.FirstOne(Questions.Of(moving), out hit);
            Check.Same(3u, hit.Id, "what a moving box meets");
            Check.Close(0.25, hit.Time, "when");
        }
        Check.That(obstacles.IndexBytes > 0, "it has memory");
        obstacles.Release();
        Check.Same(0ul, obstacles.StagingBytes, "nothing is kept");
        obstacles.Clear();
        Check.Same(0ul, obstacles.Count, "all are forgotten");
    }
}
