using System;
using Throng;

/// <summary>The other structures.</summary>
sealed class FamilyCases : Cases
{
    public FamilyCases()
    {
        Add("brute force not finite", () => Updated(Structure.BruteForce));
        Add("double grid not finite", () => Updated(Structure.DoubleGrid));
        Add("loose tree not finite", () => Updated(Structure.LooseTree));
        Add("nested quadtree not finite", () => Updated(Structure.NestedQuadtree));
        Add("tight quadtree not finite", () => Updated(Structure.TightQuadtree));
        Add("double grid cell zero", () => new FamilyIndex(Bounded(Structure.DoubleGrid, 0).Cell(In(2, 0))));
        Add("nested quadtree bounds inverted", () => new FamilyIndex(Bounded(Structure.NestedQuadtree, 17)));
        Add("tight quadtree bounds not finite", () => new FamilyIndex(Bounded(Structure.TightQuadtree, NaN)));
        Add("tree id taken", () => Filled(Structure.LooseTree).Edit(Edit.Insert(1, In(1, 1))));
        Add("tree erases nobody", () => Filled(Structure.LooseTree).Edit(Edit.Erase(77)));
        Add("tree moves to nowhere", () => Filled(Structure.LooseTree).Edit(Edit.Move(1, In(1, NaN))));
        Add("tree ball negative",
            () => Filled(Structure.LooseTree).CountOne(Questions.Of(new Ball2(At(0, 0), -1))));
    }

    /// <summary>A structure with the agents of the yard.</summary>
    static FamilyIndex Filled(Structure structure)
    {
        var index = new FamilyIndex(structure, 2);
        index.Update(Standing);
        return index;
    }

    static void Updated(Structure structure) { Filled(structure).Update(AgentsAt(1, 1, NaN, 1)); }

    static FamilySettings Bounded(Structure structure, float low)
    {
        return new FamilySettings(structure).Bounds(In(0, low), In(16, 16));
    }
}
