using System;
using System.IO;
using System.Text;
using Throng;

/// <summary>Settings of crowds, agents, memory, files, frames, and edits of single agents.</summary>
sealed unsafe class WorldCases : Cases
{
    public WorldCases()
    {
        Worlds();
        Update();
        Files();
        Edits();
        Handles();
    }

    void Worlds()
    {
        Add("bounds inverted", () => new Crowd(LaidOut.Bounds(In(0, 17), In(16, 16))));
        Add("bounds not finite", () => new Crowd(LaidOut.Bounds(In(0, 0), In(NaN, 16))));
        Add("bounds too large", () => new Crowd(LaidOut.Bounds(In(0, 0), In(TooLarge, 16))));
        Add("cell zero", () => new Crowd(LaidOut.Cell(In(2, 0))));
        Add("cell negative", () => new Crowd(LaidOut.Cell(In(-2, 2))));
        Add("cell not finite", () => new Crowd(LaidOut.Cell(In(NaN, 2))));
        Add("cells too many", () => new Crowd(LaidOut.Cell(In(1e-7f, 1e-7f))));
        Add("cell without bounds", () => new Crowd(new CrowdSettings().Cell(In(2, 2))));
        Add("period without bounds", () => new Crowd(new CrowdSettings { Periodic = 1 }));
        Add("period zero", () =>
        {
            CrowdSettings flat = LaidOut.Bounds(In(0, 0), In(0, 16));
            flat.Periodic = 1;
            new Crowd(flat);
        });
        Add("origin not finite", () =>
        {
            CrowdSettings settings = LaidOut;
            settings.Origin = new Double3(0, double.NaN, 0);
            new Crowd(settings);
        });
    }

    void Update()
    {
        Add("positions not finite", () => Yard.Update(AgentsAt(1, 1, NaN, 1)));
        Add("positions infinite", () => Yard.Update(AgentsAt(1, 1, 2, 1, 9, Infinite)));
        Add("positions too large", () => Yard.Update(AgentsAt(TooLarge, 1)));
        Add("positions null", () => Yard.Update(Agents.Of(Column.At(null, 8, 3), Column.At(null, 8, 3))));
        Add("half extents negative", () => Yard.Update(Sized(0.5f, 0.5f, 0.5f, 0.5f, -0.5f, 0.5f)));
        Add("half extents not finite", () => Yard.Update(Sized(0.5f, 0.5f, 0.5f, NaN, 0.5f, 0.5f)));
        Add("half extents too few", () => Yard.Update(Sized(0.5f, 0.5f)));
        Add("common half extent negative", () => Yard.Update(Standing.WithCommonHalfExtent(0, -1)));
        Add("groups too few", () => Yard.Update(Standing.WithGroups(Column.Of(new uint[] { 1, 2 }))));
        Add("world positions not finite",
            () => Yard.Update(Agents.Interleaved(2, new[] { 1, 1, double.NaN, 1 })));
        Add("world positions too far", () => Yard.Update(Agents.Interleaved(2, new[] { 1, 1, 1e200, 1 })));
        Add("statics not finite", () => Yard.SetStatics(AgentsAt(1, 1, 1, NaN)));
        Add("reserve without cells", () => new Crowd(2).Reserve(10));
        Add("reserve too many", () => Yard.Reserve(0xFFFFFFFF));
        Add("images point not finite", () => Yard.Images(AgentsAt(1, NaN), Standing));
        Add("images position too large", () => Yard.Images(AgentsAt(1, 1), AgentsAt(1, 1, 2e18f, 1)));
        Add("images points too few", () => Yard.Images(AgentsAt(1, 1, 2, 1), Standing));
        Add("frame not finite", () => new PublishedCrowd(new CrowdSettings()).Update(AgentsAt(NaN, 1)));
        Add("frame edit unknown", () => FrameEdited(Edit.Move(5, In(2, 2))));
        Add("frame edit not finite", () => FrameEdited(Edit.Move(0, In(1, NaN))));
        Add("change not finite", () =>
        {
            using (var change = new Change())
            {
                change.Update(Yard, AgentsAt(1, 1, NaN, 1));
                while (change.Blocks != 0)
                {
                    change.Run(0, change.Blocks);
                    change.Next();
                }
            }
        });
        Add("memory over the cap", () =>
        {
            var settings = new CrowdSettings { Memory = new MemorySource(50000) };
            new Crowd(settings).Update(Agents.Interleaved(2, new float[20000]));
        });
        Add("executor idle", () => Yard.Update(Standing, Executor.Of(new Idle())));
        Add("order twice", () => Library.Reorder(new uint[] { 0, 0 }, null, new uint[2]));
        Add("order too short", () => Library.Reorder(new uint[] { 1, 0 }, null, new uint[3]));
    }

    /// <summary>A published crowd of an agent moves that, and makes an edit that is refused.</summary>
    static void FrameEdited(Edit bad)
    {
        using (var published = new PublishedCrowd(new CrowdSettings()))
        {
            published.Update(AgentsAt(1, 1));
            published.Edit(new[] { Edit.Move(0, In(2, 2)), bad });
        }
    }

    static Agents Sized(params float[] halves)
    {
        return Standing.WithHalfExtents(Column.Every(halves, 0, 2), Column.Every(halves, 1, 2));
    }

    sealed class Idle : JobSystem
    {
        public override object Enqueue(Jobs jobs) { return null; }
    }

    void Files()
    {
        Add("file missing", () => Yard.Load("refusals_csharp.no_such_file"));
        Add("file no index", () => Loaded(Yard, saved =>
        {
            byte[] letter = Encoding.ASCII.GetBytes("a letter, and no crowd at all, which is long enough to be looked at");
            for (int i = 0; i < saved.Length; ++i) saved[i] = letter[i % letter.Length];
            return saved;
        }));
        Add("file of space", () => Loaded(new Crowd(3), saved => saved));
        Add("file cut off", () => Loaded(Yard, saved =>
        {
            Array.Resize(ref saved, saved.Length - 5);
            return saved;
        }));
        Add("file altered", () => Loaded(Yard, saved =>
        {
            saved[saved.Length - 1] ^= 1;
            return saved;
        }));
    }

    /// <summary>A file with what `spoil` has made of a crowd that was saved, loaded as one in the plane.</summary>
    static void Loaded(Crowd crowd, Func<byte[], byte[]> spoil)
    {
        string path = Path.GetTempFileName();
        try
        {
            crowd.Save(path);
            File.WriteAllBytes(path, spoil(File.ReadAllBytes(path)));
            Yard.Load(path);
        }
        finally { File.Delete(path); }
    }

    void Edits()
    {
        Add("edit id taken", () => Edited(Edit.Insert(1, In(1, 1))));
        Add("edit id taken before", () => Edited(Edit.Insert(7, In(1, 1))));
        Add("edit erases nobody", () => Edited(Edit.Erase(77)));
        Add("edit moves nobody", () => Edited(Edit.Move(77, In(1, 1))));
        Add("edit not finite", () => Edited(Edit.Move(0, In(1, NaN))));
        Add("edit id too large", () => Edited(Edit.Insert(Crowd.FirstStatic - 1, In(1, 1))));
        Add("edit groups not kept", () => Edited(Edit.Insert(5, In(1, 1)).InGroups(3)));
        Add("edit groups missing", () =>
        {
            CrowdSettings settings = LaidOut;
            settings.Kept = Kept.Groups;
            new Crowd(settings).Edit(new[] { Edit.Insert(7, In(5, 5)).InGroups(3), Edit.Insert(5, In(1, 1)) });
        });
        Add("edit half extent negative", () =>
        {
            CrowdSettings settings = LaidOut;
            settings.Kept = Kept.HalfExtents;
            new Crowd(settings).Edit(new[] { Edit.Insert(7, In(5, 5), In(0.5f, 0.5f)),
                Edit.Insert(5, In(1, 1), In(0.5f, -0.5f)) });
        });
    }

    void Handles()
    {
        Add("name twice", () => Yard.UpdateIds(Standing, new uint[] { 0, 1, 1 }));
        Add("names too few", () => Yard.UpdateIds(Standing, new uint[] { 0, 1 }));
        Add("name too large", () => Yard.UpdateIds(Standing, new uint[] { 0, Crowd.FirstStatic, 1 }));
        Add("name of nobody", () => Yard.MoveIds(new uint[] { 0, 77, 1 }, Standing));
        Add("name positions not finite", () => Yard.UpdateIds(AgentsAt(1, 1, NaN, 1), new uint[] { 0, 1 }));
        Add("names moved not finite", () => Yard.MoveIds(new uint[] { 0, 1 }, AgentsAt(1, 1, NaN, 1)));
        Add("names moved too few", () => Yard.MoveIds(new uint[] { 0, 1 }, Standing));
        Add("handle updated stale", () => WithoutTheSecond((crowd, handles) =>
            crowd.UpdateHandles(AgentsAt(1, 1, 2, 1), new[] { handles[0], handles[1] })));
        Add("handle updated foreign", () => WithAForeignOne((crowd, handles) => crowd.UpdateHandles(Standing, handles)));
        Add("handle moved stale", () => WithoutTheSecond((crowd, handles) => crowd.Move(handles, Standing)));
        Add("handle moved foreign", () => WithAForeignOne((crowd, handles) => crowd.Move(handles, Standing)));
        Add("handle moved not finite", () =>
        {
            var crowd = new Crowd(LaidOut);
            AgentHandle[] handles = crowd.Add(Standing);
            crowd.Move(new[] { handles[0], handles[1] }, AgentsAt(1, 1, NaN, 1));
        });
        Add("handle named twice", () =>
        {
            var crowd = new Crowd(LaidOut);
            AgentHandle[] handles = crowd.Add(Standing);
            handles[2] = handles[0];
            crowd.UpdateHandles(Standing, handles);
        });
        Add("handles too few", () =>
        {
            var crowd = new Crowd(LaidOut);
            AgentHandle[] handles = crowd.Add(Standing);
            crowd.UpdateHandles(AgentsAt(1, 1, 2, 1), new[] { handles[0], handles[1] });
        });
        Add("handle stale", () => WithoutTheSecond((crowd, handles) => crowd.Remove(handles)));
        Add("handle twice", () =>
        {
            var crowd = new Crowd(LaidOut);
            AgentHandle[] handles = crowd.Add(Standing);
            handles[2] = handles[0];
            crowd.Remove(handles);
        });
        Add("handle foreign", () => WithAForeignOne((crowd, handles) => crowd.Remove(handles)));
        Add("handle where ids are", () => Yard.Remove(new Crowd(LaidOut).Add(Standing)));
        Add("handle moved where ids are", () => Yard.Move(new Crowd(LaidOut).Add(Standing), Standing));
        Add("added where ids are", () => Yard.Add(AgentsAt(5, 5)));
        Add("id where handles are", () => Named.Edit(new[] { Edit.Erase(0) }));
        Add("id inserted where handles are", () => Named.Edit(new[] { Edit.Insert(7, In(5, 5)) }));
        Add("id moved where handles are", () => Named.Edit(new[] { Edit.Move(0, In(5, 5)) }));
        Add("id moved in doubles where handles are", () =>
            Named.Edit(new[] { WorldEdit.Move(0, new Double3(5, 5, 0)) }));
        Add("id in steps where handles are", () =>
        {
            using (var change = new Change()) change.Edit(Named, new[] { Edit.Erase(0) });
        });
        Add("slots too few", () => Named.Update(AgentsAt(1, 1, 2, 1)));
        Add("keys too few", () =>
        {
            var crowd = new Crowd(LaidOut);
            crowd.SetKeys(crowd.Add(Standing), new ulong[] { 1, 2 });
        });
        Add("keys added too few", () => new Crowd(LaidOut).AddKeyed(Standing, new ulong[] { 1, 2 }));
        Add("key of an agent that is gone", () =>
        {
            var crowd = new Crowd(LaidOut);
            AgentHandle[] handles = crowd.Add(Standing);
            crowd.Remove(new[] { handles[1] });
            crowd.SetKeys(handles, new ulong[] { 1, 2, 3 });
        });
        Add("added not finite", () => new Crowd(LaidOut).Add(AgentsAt(1, 1, NaN, 1)));
    }

    /// <summary>The yard, whose three agents have handles.</summary>
    static Crowd Named
    {
        get
        {
            var crowd = new Crowd(LaidOut);
            crowd.Add(Standing);
            return crowd;
        }
    }

    /// <summary>A call with the handles of three agents, of which the second was removed.</summary>
    static void WithoutTheSecond(Action<Crowd, AgentHandle[]> call)
    {
        var crowd = new Crowd(LaidOut);
        AgentHandle[] handles = crowd.Add(Standing);
        crowd.Remove(new[] { handles[1] });
        call(crowd, handles);
    }

    /// <summary>The same with all agents, but the second handle is another crowd's.</summary>
    static void WithAForeignOne(Action<Crowd, AgentHandle[]> call)
    {
        var crowd = new Crowd(LaidOut);
        AgentHandle[] handles = crowd.Add(Standing);
        handles[1] = new Crowd(LaidOut).Add(Standing)[1];
        call(crowd, handles);
    }

    /// <summary>One good edit, and the one that is refused.</summary>
    static void Edited(Edit bad) { Yard.Edit(new[] { Edit.Insert(7, In(5, 5)), bad }); }
}
