using Throng;

/// <summary>Obstacles, what is asked of them, and sight past them.</summary>
sealed class ObstacleCases : Cases
{
    static readonly Box2[] boxes = { new Box2(At(3, 3), At(4, 4)), new Box2(At(6, 6), At(7, 7)) };

    public ObstacleCases()
    {
        Changes();
        Asked();
        Sight();
    }

    /// <summary>Two boxes, with ids 0 and 1.</summary>
    static Obstacles Boxes
    {
        get
        {
            var obstacles = new Obstacles(2);
            obstacles.Set(boxes);
            return obstacles;
        }
    }

    /// <summary>A world from 0 up to this on x, and up to 16 on y.</summary>
    static CrowdSettings Periodic(float wide)
    {
        CrowdSettings settings = new CrowdSettings().Bounds(new Float3(0, 0, 0), new Float3(wide, 16, 0));
        settings.Periodic = 1;
        return settings;
    }

    static void SetBox(Float2 lo, Float2 hi) { Boxes.Set(new[] { boxes[0], new Box2(lo, hi) }); }

    void Changes()
    {
        Add("obstacle box inverted", () => SetBox(At(1, 5), At(2, 4)));
        Add("obstacle box not finite", () => SetBox(At(1, NaN), At(2, 4)));
        Add("obstacle box turned and bent",
            () => Boxes.Set(new Box2[0], turnedBoxes: new[] { new OrientedBox2(At(0, 0), At(1, 0), At(1, 1)) }));
        Add("obstacle wall thickness negative", () => Boxes.Set(new Box2[0],
            walls: new[] { new Wall(At(0, 0), At(1, 0), 1), new Wall(At(0, 0), At(1, 0), -1) }));
        Add("obstacle triangle not finite", () => new Obstacles(3).Set(new Box3[0],
            triangles: new[] { new Triangle(new Float3(0, 0, 0), new Float3(1, 0, 0), new Float3(0, NaN, 0)) }));
        Add("obstacle groups too few", () => Boxes.Set(boxes, groups: new uint[] { 1 }));
        Add("obstacle wider than its world", () =>
        {
            Obstacles round = Boxes;
            round.Configure(Periodic(16));
            round.Insert(0, new Box2(At(0, 0), At(17, 1)));
        });
        Add("obstacles period zero", () => Boxes.Configure(Periodic(0)));
        Add("obstacle id taken", () => Boxes.Insert(1, boxes[0]));
        Add("obstacle id too large", () => Boxes.Insert(Crowd.NoId, boxes[0]));
        Add("obstacle wall not finite", () => Boxes.Insert(5, new Wall(At(NaN, 0), At(1, 0), 1)));
        Add("obstacle replaces nothing", () => Boxes.Replace(5, boxes[0]));
        Add("obstacle erases nothing", () => Boxes.Erase(5));
        Add("obstacle file missing", () => Boxes.Load("refusals_csharp.no_such_file"));
    }

    void Asked()
    {
        Add("obstacles nearest within negative",
            () => Boxes.Nearest(Places, new ObstacleNear2[3], new ObstacleSearch { Within = -1 }));
        Add("obstacles nearest not finite",
            () => Boxes.Nearest(Points.Of(At(0, 0), At(0, NaN)), new ObstacleNear2[2]));
        Add("obstacles first without direction", () => Boxes.First(
            Questions.Of(new Ray2(At(0, 0), At(1, 0), 1), new Ray2(At(0, 0), At(0, 0), 1)), new ObstacleHit2[2]));
        Add("obstacles moving box inverted", () => Boxes.First(
            Questions.Of(new MovingBox2(new Box2(At(1, 0), At(0, 1)), At(1, 1))), new ObstacleHit2[1]));
        Add("obstacles sight not finite", () => Boxes.Sight(
            Questions.Of(new Segment2(At(0, 0), At(1, 1)), new Segment2(At(0, 0), At(NaN, 1))), new byte[2]));
        Add("obstacles within negative",
            () => Boxes.Within(Questions.Of(new Ball2(At(0, 0), -1)), new ObstacleNear2[2]));
        Add("obstacles within each negative", () => Boxes.WithinEach(
            Questions.Of(new[] { new Ball2(At(0, 0), 1), new Ball2(At(0, 0), -1) }), new ulong[3],
            new ObstacleNear2[2]));
        Add("obstacles overlaps not finite",
            () => Boxes.Overlaps(Questions.Of(new Box2(At(0, 0), At(NaN, 1))), new uint[2]));
    }

    static void NeighboursInSight(CrowdSettings settings, float radius)
    {
        new Batch().NeighboursInSight(new Crowd(settings), Boxes, new Neighbourhood(radius));
    }

    void Sight()
    {
        Add("sight in a periodic world", () =>
        {
            CrowdSettings periodic = LaidOut;
            periodic.Periodic = 3;
            NeighboursInSight(periodic, 1);
        });
        Add("sight radius negative", () => NeighboursInSight(LaidOut, -1));
        Add("sight ball negative", () => new Batch().QueryInSight(Yard, Boxes,
            Questions.Of(new Ball2(At(0, 0), 1), new Ball2(At(0, 0), -1))));
    }
}
