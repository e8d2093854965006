using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>Cells to draw, and positions in doubles.</summary>
sealed class PlaceTest
{
    const double CellSize = 2;
    static readonly double[] origin = { 1e9, -1e9, 5e8 }; // where floats have steps of 32 and more
    readonly Scene scene;
    readonly Draw draw = new Draw(37);

    PlaceTest(int dimension) { scene = new Scene(dimension, 39); }

    public static void Run()
    {
        Check.Both("cells to draw", d => new PlaceTest(d).Cells());
        Check.Both("edits in doubles", d => new PlaceTest(d).Edits());
        Check.Both("points in doubles", d => new PlaceTest(d).Points());
    }

    /// <summary>The low corner of the cell that a place belongs to; those outside belong to the outermost.</summary>
    static double Corner(double x)
    {
        return CellSize * Math.Min(Math.Max(Math.Floor(x / CellSize), 0), Scene.World / CellSize - 1);
    }

    double[] Of(Float3 v) { return new double[] { v.X, v.Y, v.Z }.Take(scene.D).ToArray(); }

    void Cells()
    {
        Crowd crowd = scene.Crowd();
        Cell[] cells = crowd.Cells(), small = cells.TakeWhile(cell => cell.Set == Sets.Small).ToArray();
        Cell[] nodes = cells.Skip(small.Length).ToArray();
        int[] agents = Enumerable.Range(0, Scene.Agents).ToArray();
        foreach (Cell cell in small)
        {
            double[] lo = Of(cell.Lo);
            Check.Same((uint)agents.Count(i => scene.SetOf(i) == Sets.Small && scene.At[i].Select(Corner).SequenceEqual(lo)),
                cell.Agents, "the agents in a cell");
            Check.Lists(lo.Select(x => x + CellSize), Of(cell.Hi), "the other corner");
            Check.Same(0u, cell.Depth, "the depth of a cell");
        }
        Check.Same(small.Length, small.Select(cell => string.Join(" ", Of(cell.Lo))).Distinct().Count(), "different cells");
        Check.Same(agents.Count(i => scene.SetOf(i) == Sets.Small), (int)small.Sum(cell => cell.Agents), "small agents");
        Check.Same(agents.Count(i => scene.SetOf(i) == Sets.Giants), (int)nodes.Sum(cell => cell.Agents), "giants");
        Check.That(nodes.All(node => node.Set == Sets.Giants) && nodes[0].Depth == 0, "nodes are those of giants");
        Check.Lists(nodes.Select(node => node.Depth).OrderBy(depth => depth), nodes.Select(node => node.Depth), "depths");
        var room = new Cell[cells.Length + 3];
        Check.Same((ulong)cells.Length, crowd.Cells(room), "the number of cells");
        Check.Lists(cells, room.Take(cells.Length), "the same cells");
        Check.Same((ulong)cells.Length, Check.Refused(Code.NoRoom,
            "cells is too short: there must be room for " + cells.Length, () => crowd.Cells(new Cell[1])).Index, "the room");
        Check.Same(0, new Crowd(scene.D).Cells().Length, "cells of an empty crowd");
        crowd.Dispose();
        Check.Throws<ObjectDisposedException>(() => crowd.Cells());
    }

    Double3 World(double[] at)
    {
        return new Double3(origin[0] + at[0], origin[1] + at[1], scene.D == 2 ? 0 : origin[2] + at[2]);
    }

    Crowd Far()
    {
        CrowdSettings settings = scene.Settings();
        settings.Origin = World(scene.Vector(a => 0));
        settings.Kept = Kept.HalfExtents | Kept.Groups;
        return new Crowd(settings);
    }

    /// <summary>What edits in doubles make of a crowd.</summary>
    void Edits()
    {
        Crowd crowd = Far();
        crowd.Edit(Enumerable.Range(0, Scene.Agents).Select(i => WorldEdit.Insert((uint)i, World(scene.At[i]),
            Scene.F3(scene.Half[i])).InGroups(scene.Groups[i])).ToArray());
        var edits = new List<WorldEdit>();
        for (int i = 0; i < Scene.Agents; i += 2)
        {
            scene.There[i] = i % 4 != 0;
            scene.At[i] = scene.Somewhere(draw);
            edits.Add(scene.There[i] ? WorldEdit.Move((uint)i, World(scene.At[i])) : WorldEdit.Erase((uint)i));
        }
        crowd.Edit(edits.ToArray(), Executor.Serial());
        Check.Refused(Code.NotFinite, "edits[1] is NaN or infinite", () => crowd.Edit(new[] { WorldEdit.Erase(1),
            WorldEdit.Move(2, new Double3(double.NaN, 0, 0)) }));
        var ids = new uint[Scene.All + 16];
        for (int q = 0; q < 40; ++q)
        {
            double[] centre = scene.Somewhere(draw);
            double radius = draw.Halves(6);
            Float3 local = crowd.ToLocal(World(centre));
            Questions ball = scene.D == 2 ? Questions.Of(new Ball2(new Float2(local.X, local.Y), (float)radius))
                : Questions.Of(new Ball3(local, (float)radius));
            IEnumerable<uint> truth = scene.Answer(i => scene.InBall(centre, radius, i, Body.Centre), Sets.Agents,
                Filter.Of(2));
            Check.Lists(truth, ids.Take((int)crowd.QueryOne(ball.With(Filter.Of(2)), ids)).OrderBy(id => id), "the agents");
        }
    }

    void Points()
    {
        Crowd crowd = Far();
        double[] world = scene.At.SelectMany(at => at.Select((x, a) => origin[a] + x)).ToArray(), back;
        var local = new float[world.Length];
        crowd.ToLocal(world, local);
        Check.Lists(scene.At.SelectMany(at => at), local.Select(x => (double)x), "points near the origin");
        back = new double[world.Length];
        crowd.ToWorld(local, back);
        Check.Lists(world, back, "the way back");
        Double3 there = World(scene.At[5]), again = crowd.ToWorld(crowd.ToLocal(there));
        Check.That(there.X == again.X && there.Y == again.Y && there.Z == again.Z, "one point, and back");
        // Rounded once.
        Check.Same((float)(1e9 + 0.1 - 1e9), crowd.ToLocal(new Double3(1e9 + 0.1, 0, 0)).X, "what floats do not have");
        Check.Refused(Code.NoRoom, "local is too short: there must be room for " + world.Length,
            () => crowd.ToLocal(world, new float[world.Length - 1]));
        Check.Refused(Code.NoRoom, "world is too short: there must be room for " + world.Length,
            () => crowd.ToWorld(local, new double[2]));
        Check.Refused(Code.CountMismatch, "world has another count than positions",
            () => crowd.ToLocal(new double[scene.D + 1], local));
    }
}
