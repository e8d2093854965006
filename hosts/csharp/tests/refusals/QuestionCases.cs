using System;
using Throng;

/// <summary>Shapes, their filters, room for answers, and questions about all agents.</summary>
sealed unsafe class QuestionCases : Cases
{
    readonly Batch batch = new Batch();

    public QuestionCases()
    {
        Shapes();
        Corners();
        Rooms();
        All();
        Lists();
    }

    void Ask<T>(params T[] shapes) where T : struct { batch.Query(Yard, Questions.Of(shapes)); }

    void Balls(Float2 centre, float radius) { Ask(new Ball2(), new Ball2(centre, radius)); }
    void Boxes(Float2 lo, Float2 hi) { Ask(new Box2(), new Box2(lo, hi)); }
    void Rays(Float2 origin, Float2 direction, float length)
    {
        Ask(new Ray2(At(0, 0), At(1, 0), 1), new Ray2(origin, direction, length));
    }
    void Sectors(float radius, Float2 direction, float cosine)
    {
        Ask(new Sector2(At(0, 0), 1, At(1, 0), 0), new Sector2(At(0, 0), radius, direction, cosine));
    }
    void Cylinders(float radius, float low)
    {
        Ask(new Cylinder2(At(0, 0), 1, 0, 1, 1), new Cylinder2(At(0, 0), radius, low, 1, 1));
    }
    void BodyBalls(float radius, Body body)
    {
        Ask(new BodyBall2(At(0, 0), 1, Body.Box), new BodyBall2(At(0, 0), radius, body));
    }
    void Regions(Float2 normal, int sides)
    {
        var good = new Convex2 { Sides0 = new Side2(At(1, 0), 1), Count = (UIntPtr)1, Bounds = new Box2(At(0, 0), At(1, 1)) };
        Convex2 bad = good;
        bad.Sides0.Normal = normal;
        bad.Count = (UIntPtr)sides;
        Ask(good, bad);
    }

    void Shapes()
    {
        Add("ball radius negative", () => Balls(At(0, 0), -1));
        Add("ball radius not finite", () => Balls(At(0, 0), NaN));
        Add("ball centre not finite", () => Balls(At(0, Infinite), 1));
        Add("ball too large", () => Balls(At(TooLarge, 0), 1));
        Add("box not finite", () => Boxes(At(0, 0), At(1, NaN)));
        Add("box too large", () => Boxes(At(-TooLarge, 0), At(1, 1)));
        Add("segment not finite", () => Ask(new Segment2(), new Segment2(At(0, 0), At(NaN, 1))));
        Add("ray without direction", () => Rays(At(0, 0), At(0, 0), 1));
        Add("ray length negative", () => Rays(At(0, 0), At(1, 0), -1));
        Add("ray origin not finite", () => Rays(At(NaN, 0), At(1, 0), 1));
        Add("capsule radius negative", () => Ask(new Capsule2(), new Capsule2(At(0, 0), At(1, 1), -1)));
        Add("sector cosine", () => Sectors(1, At(1, 0), 1.5f));
        Add("sector without direction", () => Sectors(1, At(0, 0), 0));
        Add("sector radius negative", () => Sectors(-1, At(1, 0), 0));
        Add("convex too many sides", () => Regions(At(1, 0), 9));
        Add("convex side without direction", () => Regions(At(0, 0), 1));
        Add("oriented box not finite",
            () => Ask(new OrientedBox2(), new OrientedBox2(At(0, 0), At(NaN, 0), At(0, 1))));
        Add("cylinder upright on z", () => Ask(new Cylinder2(At(0, 0), 1, 0, 1, 2)));
        Add("cylinder radius negative", () => Cylinders(-1, 0));
        Add("cylinder low not finite", () => Cylinders(1, NaN));
        Add("body ball radius negative", () => BodyBalls(-1, Body.Box));
        Add("body ball without body", () => BodyBalls(1, (Body)9));
    }

    void Corners()
    {
        Add("polygon not convex", () => Convex2.Polygon(At(0, 0), At(4, 0), At(1, 1), At(0, 4)));
        Add("polygon too many corners", () => Convex2.Polygon(new Float2[9]));
        Add("polygon not finite", () => Convex2.Polygon(At(NaN, 0), At(4, 0), At(0, 4)));
        Add("frustum flat", () =>
        {
            Float3 a = new Float3(0, 0, 0), b = new Float3(0, 1, 0), c = new Float3(0, 1, 1), d = new Float3(0, 0, 1);
            Convex3.Frustum(a, b, c, d, a, b, c, d);
        });
    }

    static Questions Three
    {
        get { return Questions.Of(new Ball2(At(1, 1), 1), new Ball2(At(9, 9), 1), new Ball2(At(5, 5), 1)); }
    }

    void Rooms()
    {
        Add("filters too few", () => batch.Query(Yard, Three.With(new Filter[2])));
        Add("shapes null", () => batch.Query(Yard, Questions.At<Ball2>(null, 3)));
        Add("shapes unknown", () => batch.Query(Yard, Questions.Of(1.0f)));
        Add("shapes no paths", () => batch.First(Yard, Three, new Meeting[3]));
        Add("one question of three", () => Yard.CountOne(Three));
        Add("one ball negative", () => Yard.CountOne(Questions.Of(new Ball2(At(0, 0), -1))));
        Add("ray around a periodic world", () =>
        {
            CrowdSettings periodic = LaidOut;
            periodic.Periodic = 1;
            new Crowd(periodic).CountOne(Questions.Of(new Ray2(At(0, 0), At(1, 0), 1e18f)));
        });
        Add("counts too short", () => batch.Count(Yard, Three, new uint[2]));
        Add("offsets too short", () => batch.QueryInto(Yard, Three, new ulong[3], new uint[9]));
        Add("neighbour counts too short", () => batch.CountNeighbours(Yard, new Neighbourhood(1), new uint[2]));
        Add("nearest too short", () => batch.NearestInto(Yard, Places, new Nearest(2), new Near[5], new uint[3]));
    }

    void Nearest(Nearest wanted) { batch.Nearest(Yard, Places, wanted); }

    void All()
    {
        Add("neighbours radius negative", () => batch.Neighbours(Yard, new Neighbourhood(-1)));
        Add("neighbours radius not finite", () => batch.Neighbours(Yard, new Neighbourhood(NaN)));
        Add("neighbours radius too large", () => batch.Neighbours(Yard, new Neighbourhood(TooLarge)));
        Add("neighbours without body", () => batch.Neighbours(Yard, new Neighbourhood(1) { Body = (Body)9 }));
        Add("nearest k too many", () => Nearest(new Nearest(1025)));
        Add("nearest radius negative", () => Nearest(new Nearest(1) { Radius = -1 }));
        Add("nearest radius not finite", () => Nearest(new Nearest(1) { Radius = NaN }));
        Add("nearest least negative", () => Nearest(new Nearest(1) { Least = -1 }));
        Add("nearest band not finite", () => Nearest(new Nearest(1) { Band = new HeightBand(1, NaN, 1) }));
        Add("nearest band on z", () => Nearest(new Nearest(1) { Band = new HeightBand(2, 1, 1) }));
        Add("nearest after not finite", () => Nearest(new Nearest(1) { After = new Near(NaN, 0) }));
        Add("nearest points not finite",
            () => batch.Nearest(Yard, Points.Of(At(0, 0), At(NaN, 0)), new Nearest(1)));
        Add("nearest points too large",
            () => batch.Nearest(Yard, Points.Of(At(0, 0), At(0, TooLarge)), new Nearest(1)));
        Add("nearest neighbours radius negative",
            () => batch.NearestNeighbours(Yard, new Nearest(1) { Radius = -1 }));
        Add("pairs within not finite", () => batch.Pairs(Yard, new Pairing { Within = NaN }));
        Add("pairs within too large", () => batch.Pairs(Yard, new Pairing { Within = TooLarge }));
        Add("pairs without body", () => batch.Pairs(Yard, new Pairing { Body = (Body)9 }));
        Add("contacts within not finite", () => new Contacts().Update(Yard, new Pairing { Within = NaN }));
    }

    static void Lasting(float radius, float skin) { new LastingNeighbours(new LastingSettings(radius, skin)); }

    /// <summary>Lists with a radius and a skin of 1 for the agents of the yard, and then of these.</summary>
    static void Listed(params float[] places)
    {
        var lists = new LastingNeighbours(new LastingSettings(1, 1));
        lists.Update(Yard, Standing);
        lists.Neighbours(AgentsAt(places));
    }

    void Lists()
    {
        Add("lasting radius negative", () => Lasting(-1, 1));
        Add("lasting radius not finite", () => Lasting(NaN, 1));
        Add("lasting skin negative", () => Lasting(1, -1));
        Add("lasting skin not finite", () => Lasting(1, Infinite));
        Add("lasting positions not finite", () => Listed(1, 1, NaN, 1, 9, 9));
        Add("lasting moved too far", () => Listed(1, 1, 2, 1, 5, 9));
        Add("lasting too few", () => Listed(1, 1, 2, 1));
    }
}
