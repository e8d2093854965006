using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>Numbers that are the same on every machine.</summary>
sealed class Draw
{
    uint state;
    public Draw(uint seed) { state = seed * 2654435761u + 1; }

    public int Below(int end)
    {
        state = state * 1664525u + 1013904223u;
        return (int)((ulong)(state >> 8) * (ulong)end >> 24);
    }

    /// <summary>A multiple of a half below `end`.</summary>
    public double Halves(int end) { return 0.5 * Below(2 * end); }
}

/// <summary>A crowd in plain lists, whose coordinates round nowhere: many agents are exactly on the rims of shapes. It
/// answers by testing each member alone.</summary>
sealed class Scene
{
    public const int World = 16, Agents = 300, Statics = 60, All = Agents + Statics;

    public readonly int D;
    public readonly double[][] At = new double[All][];
    public readonly double[][] Half = new double[All][];
    public readonly uint[] Groups = new uint[All];
    public readonly bool[] There = new bool[All];

    public Scene(int dimension, uint seed)
    {
        D = dimension;
        var draw = new Draw(seed);
        for (int i = 0; i < All; ++i)
        {
            At[i] = Somewhere(draw);
            bool large = i % 29 == 11;
            Half[i] = Vector(a => large ? 2.5 : 0.25 * draw.Below(5));
            Groups[i] = i % 8 == 7 ? 0 : 1u << draw.Below(4);
            There[i] = true;
        }
    }

    public double[] Vector(Func<int, double> of) { return Enumerable.Range(0, D).Select(of).ToArray(); }

    /// <summary>A few stand outside.</summary>
    public double[] Somewhere(Draw draw) { return Vector(a => draw.Halves(World + 4) - 2); }

    public void Move(Draw draw)
    {
        for (int i = 0; i < Agents; ++i) At[i] = Somewhere(draw);
    }

    public static Float2 F2(double[] v) { return new Float2((float)v[0], (float)v[1]); }
    public static Float3 F3(double[] v) { return new Float3((float)v[0], (float)v[1], v.Length == 2 ? 0 : (float)v[2]); }

    // Questions of the dimension that the numbers have.

    public static Questions Balls(double radius, params double[][] centres)
    {
        return centres[0].Length == 2 ? Questions.Of(centres.Select(c => new Ball2(F2(c), (float)radius)).ToArray())
            : Questions.Of(centres.Select(c => new Ball3(F3(c), (float)radius)).ToArray());
    }

    public static Questions Box(double[] lo, double[] hi)
    {
        return lo.Length == 2 ? Questions.Of(new Box2(F2(lo), F2(hi))) : Questions.Of(new Box3(F3(lo), F3(hi)));
    }

    public static Points Points(double[][] at)
    {
        return at[0].Length == 2 ? Throng.Points.Of(at.Select(F2).ToArray()) : Throng.Points.Of(at.Select(F3).ToArray());
    }

    public Agents Members(int first, int count)
    {
        Func<double[][], int, float[]> axis =
            (of, a) => Enumerable.Range(first, count).Select(i => (float)of[i][a]).ToArray();
        Column[] at = Enumerable.Range(0, D).Select(a => Column.Of(axis(At, a))).ToArray();
        Column[] half = Enumerable.Range(0, D).Select(a => Column.Of(axis(Half, a))).ToArray();
        return Throng.Agents.Of(at).WithHalfExtents(half).WithGroups(Column.Of(Groups.Skip(first).Take(count).ToArray()));
    }

    public CrowdSettings Settings()
    {
        float side = World;
        return new CrowdSettings(D).Bounds(default(Float3), new Float3(side, side, D == 3 ? side : 0))
            .Cell(new Float3(2, 2, D == 3 ? 2 : 0));
    }

    public Crowd Crowd()
    {
        var crowd = new Crowd(Settings());
        crowd.SetStatics(Members(Agents, Statics));
        crowd.Update(Members(0, Agents));
        return crowd;
    }

    public uint Name(int i) { return i < Agents ? (uint)i : Throng.Crowd.FirstStatic + (uint)(i - Agents); }
    public int Place(uint name) { return name < Agents ? (int)name : Agents + (int)(name - Throng.Crowd.FirstStatic); }
    public Sets SetOf(int i) { return i >= Agents ? Sets.Statics : i % 29 == 11 ? Sets.Giants : Sets.Small; }

    public bool Wants(int i, Sets sets, Filter filter)
    {
        return There[i] && (SetOf(i) & sets) != 0 && filter.Without != Name(i)
            && (filter.Groups == Throng.Crowd.AllGroups || (filter.Groups & Groups[i]) != 0);
    }

    public IEnumerable<uint> Answer(Func<int, bool> finds, Sets sets, Filter filter)
    {
        return Enumerable.Range(0, All).Where(i => Wants(i, sets, filter) && finds(i)).Select(Name);
    }

    // What shapes find.

    public bool InBox(double[] lo, double[] hi, int i)
    {
        for (int a = 0; a < D; ++a)
            if (lo[a] > hi[a] || At[i][a] - Half[i][a] > hi[a] || At[i][a] + Half[i][a] < lo[a]) return false;
        return true;
    }

    /// <summary>From a point to what a body is, on each axis; a disc is its centre here.</summary>
    public double[] Way(double[] from, int i, Body body, double[] own = null)
    {
        return Vector(a =>
        {
            double way = At[i][a] - from[a];
            double half = body == Body.Box ? Half[i][a] + (own == null ? 0 : own[a]) : 0;
            return Math.Sign(way) * Math.Max(Math.Abs(way) - half, 0);
        });
    }

    public static double Dot(double[] a, double[] b) { return a.Zip(b, (x, y) => x * y).Sum(); }
    public static double[] Less(double[] a, double[] b) { return a.Zip(b, (x, y) => x - y).ToArray(); }
    public double Disc(int i, Body body) { return body == Body.Disc ? Half[i][0] : 0; }

    public bool InBall(double[] centre, double radius, int i, Body body)
    {
        double[] way = Way(centre, i, body);
        double reach = radius + Disc(i, body);
        return Dot(way, way) <= reach * reach;
    }

    public bool InSector(double[] centre, double radius, double[] direction, double cosine, int i, Body body)
    {
        double[] way = Way(centre, i, body);
        double disc = Disc(i, body), far2 = Dot(way, way), ahead = Dot(way, direction);
        if (far2 > (radius + disc) * (radius + disc)) return false;
        if (far2 <= disc * disc) return true; // its disc covers the centre, from which all directions begin
        double rim = cosine * cosine * Dot(direction, direction) * far2;
        return cosine < 0 ? ahead >= 0 || ahead * ahead <= rim : ahead >= 0 && ahead * ahead >= rim;
    }

    public bool InCylinder(double[] centre, double radius, double low, double high, int up, int i, Body body)
    {
        double[] way = Way(centre, i, body);
        way[up] = 0;
        double height = At[i][up], half = body == Body.Box ? Half[i][up] : 0, far2 = Dot(way, way);
        if (low > high) return false;
        if (body != Body.Disc) return far2 <= radius * radius && low <= height + half && height - half <= high;
        double aside = Math.Max(Math.Sqrt(far2) - radius, 0), above = Math.Max(Math.Max(low - height, height - high), 0);
        return aside * aside + above * above <= Half[i][0] * Half[i][0];
    }

    /// <summary>Whether a segment touches a member's box: no axis, and no axis across it, may separate the two.</summary>
    public bool OnSegment(double[] from, double[] to, int i) { return Touches(from, to, At[i], Half[i]); }

    public static bool Touches(double[] from, double[] to, double[] centre, double[] half)
    {
        double[] way = Less(to, from), off = Less(centre, from);
        for (int a = 0; a < way.Length; ++a)
        {
            if (centre[a] - half[a] > Math.Max(from[a], to[a]) || centre[a] + half[a] < Math.Min(from[a], to[a]))
                return false;
            for (int b = 0; b < a; ++b)
                if (Math.Abs(way[a] * off[b] - way[b] * off[a]) > half[a] * Math.Abs(way[b]) + half[b] * Math.Abs(way[a]))
                    return false;
        }
        return true;
    }

    /// <summary>When a segment first touches the box of a member that it touches.</summary>
    public double TimeOnSegment(double[] from, double[] to, int i)
    {
        double time = 0;
        for (int a = 0; a < D; ++a)
        {
            double way = to[a] - from[a], side = At[i][a] - Math.Sign(way) * Half[i][a];
            if (way != 0) time = Math.Max(time, (side - from[a]) / way);
        }
        return time;
    }

    public bool InCapsule(double[] from, double[] to, double radius, int i)
    {
        double[] way = Less(to, from), off = Less(At[i], from);
        double length2 = Dot(way, way), time = length2 == 0 ? 0 : Math.Min(Math.Max(Dot(off, way) / length2, 0), 1);
        double[] rest = Vector(a => off[a] - way[a] * time);
        return Dot(rest, rest) <= (radius + Half[i][0]) * (radius + Half[i][0]);
    }

    public double TimeOfCapsule(double[] from, double[] to, double radius, int i)
    {
        double[] way = Less(to, from), off = Less(At[i], from);
        double length2 = Dot(way, way), reach = radius + Half[i][0];
        if (length2 == 0 || Dot(off, off) <= reach * reach) return 0;
        double middle = Dot(off, way) / length2;
        double aside2 = Dot(off, off) - middle * middle * length2;
        return middle - Math.Sqrt(Math.Max(reach * reach - aside2, 0) / length2);
    }

    /// <summary>Whether a member's box lies wholly beyond normal . p = offset.</summary>
    public bool Beyond(double[] normal, double offset, int i)
    {
        return Dot(normal, At[i]) - Enumerable.Range(0, D).Sum(a => Math.Abs(normal[a]) * Half[i][a]) > offset;
    }

    // What is between two members.

    public double Far2(int i, int j, Body body)
    {
        double[] way = Way(At[i], j, body, Half[i]);
        double far2 = Dot(way, way);
        if (body != Body.Disc) return far2;
        double gap = Math.Max(Math.Sqrt(far2) - Half[i][0] - Half[j][0], 0);
        return gap * gap;
    }

    public bool Overlap(int i, int j)
    {
        return Enumerable.Range(0, D).All(a => Math.Abs(At[i][a] - At[j][a]) <= Half[i][a] + Half[j][a]);
    }

    /// <summary>The kind of a pair; 0 for two statics.</summary>
    public PairSets PairOf(int i, int j)
    {
        Sets both = SetOf(i) | SetOf(j);
        return both == Sets.Small ? PairSets.SmallSmall : both == Sets.Giants ? PairSets.GiantsGiants
            : both == (Sets.Small | Sets.Giants) ? PairSets.SmallGiants
            : both == (Sets.Small | Sets.Statics) ? PairSets.SmallStatics
            : both == (Sets.Giants | Sets.Statics) ? PairSets.GiantsStatics : 0;
    }
}
