using System;

namespace Throng
{
    /// <summary>What an index of throng_family.h is, before it has agents. Without bounds it lays itself out over the agents of
    /// the first update.</summary>
    public sealed class FamilySettings
    {
        internal Native.throng_index_settings Raw = Native.throng_index_settings.Init;

        public FamilySettings(Structure structure, int dimension = 2)
        {
            Raw.structure = (uint)structure;
            Raw.dimension = (uint)dimension;
        }

        /// <summary>Agents outside are kept and found.</summary>
        public FamilySettings Bounds(Float3 lo, Float3 hi)
        {
            Raw.lo = lo;
            Raw.hi = hi;
            Raw.given |= Native.THRONG_GIVEN_BOUNDS;
            return this;
        }

        /// <summary>Of a double grid, always with bounds.</summary>
        public FamilySettings Cell(Float3 size)
        {
            Raw.cell = size;
            Raw.given |= Native.THRONG_GIVEN_CELL;
            return this;
        }

        /// <summary>What each agent has of its own; only with bounds.</summary>
        public Kept Kept { get { return (Kept)Raw.kept; } set { Raw.kept = (uint)value; } }
        /// <summary>Of all agents, unless they have their own; only with bounds.</summary>
        public Float3 CommonHalfExtent
        {
            get { return Raw.common_half_extent; }
            set { Raw.common_half_extent = value; }
        }
    }

    /// <summary>What an index has, and what it takes.</summary>
    public struct FamilyCounts
    {
        public readonly Structure Structure;
        public readonly int Dimension;
        public readonly ulong Agents, IndexBytes, StagingBytes;

        internal FamilyCounts(Native.throng_index_counts raw)
        {
            Structure = (Structure)raw.structure;
            Dimension = (int)raw.dimension;
            Agents = raw.agents;
            IndexBytes = raw.index_bytes;
            StagingBytes = raw.staging_bytes;
        }
    }

    /// <summary>One of the structures beside crowds: docs/structures.md says what each is for. It is either changed, by one call,
    /// or asked, by any number. It knows no sets: those of questions must be Sets.Everybody.</summary>
    public sealed unsafe class FamilyIndex : IDisposable
    {
        readonly IndexHandle handle;

        /// <summary>An empty one, of dimension 2 or 3.</summary>
        public FamilyIndex(Structure structure, int dimension) : this(new FamilySettings(structure, dimension)) { }

        public FamilyIndex(FamilySettings settings)
        {
            Status.Begin();
            Native.throng_index_settings raw = settings.Raw;
            IntPtr made;
            Status.Check(Native.throng_index_create(&raw, &made));
            handle = new IndexHandle(made);
        }

        /// <summary>Replaces all agents: everything has moved. The id of agent i is i. Positions must be floats.</summary>
        public void Update(Agents agents, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                agents.Fill(out raw, call.Pins);
                Status.Check(Native.throng_index_update(handle, &raw, Executor.HandleOf(executor)));
            }
        }

        public void Edit(Edit edit) { Status.Check(Native.throng_index_edit(handle, &edit)); }

        /// <summary>Makes searches as fast again as they were before agents went away, where there is something to tidy.
        /// </summary>
        public void Tidy() { Status.Check(Native.throng_index_tidy(handle)); }

        /// <summary>Forgets all agents; keeps the layout and the memory.</summary>
        public void Clear() { Status.Check(Native.throng_index_clear(handle)); }

        public FamilyCounts Counts
        {
            get
            {
                var raw = Native.throng_index_counts.Init;
                Status.Check(Native.throng_index_count(handle, &raw));
                return new FamilyCounts(raw);
            }
        }

        public bool Contains(uint id)
        {
            uint found;
            Status.Check(Native.throng_index_contains(handle, id, &found));
            return found != 0;
        }

        /// <summary>The agents that each shape finds, into the host's arrays, as Batch.QueryInto(), but on this thread.</summary>
        public ulong QueryInto(Questions questions, Items<ulong> offsets, Items<uint> ids)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                questions.Fill(out raw, &filter, call.Pins);
                Native.throng_hits_room room = Batch.Room(offsets, ids, call.Pins);
                Status.Check(Native.throng_index_query(handle, &raw, &room));
                return room.total;
            }
        }

        /// <summary>The ids that one question finds, and their number.</summary>
        public ulong QueryOne(Questions question, Items<uint> ids)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong total;
                question.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_index_query_one(handle, &raw, (uint*)ids.Pin(call.Pins), ids.Count, &total));
                return total;
            }
        }

        public ulong CountOne(Questions question)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong total;
                question.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_index_count_one(handle, &raw, &total));
                return total;
            }
        }

        public bool AnyOne(Questions question)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                uint found;
                question.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_index_any_one(handle, &raw, &found));
                return found != 0;
            }
        }

        /// <summary>As Crowd.VisitOne().</summary>
        public ulong VisitOne(Questions question, IdVisitor visitor)
        {
            using (Visit visit = Visit.Of(visitor))
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong visited;
                question.Fill(out raw, &filter, call.Pins);
                visit.End(Native.throng_index_visit_one(handle, &raw, Visit.Ids, visit.User, &visited));
                return visited;
            }
        }

        /// <summary>Each pair of agents whose boxes overlap, once, either way round; agents outside `groups` take part in
        /// none.</summary>
        public ulong VisitPairs(uint groups, PairVisitor visitor)
        {
            using (Visit visit = Visit.Of(visitor))
            {
                ulong visited;
                visit.End(Native.throng_index_visit_pairs(handle, groups, Visit.Pairs, visit.User, &visited));
                return visited;
            }
        }

        /// <summary>The same into arrays, as Batch.PairsInto().</summary>
        public ulong PairsInto(uint groups, Items<uint> first, Items<uint> second)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_pairs_room room = Batch.Room(first, second, call.Pins);
                Status.Check(Native.throng_index_find_pairs(handle, groups, &room));
                return room.total;
            }
        }

        /// <summary>The nodes or cells that agents are in, from the outermost inward, to draw them. Their set is Sets.Agents.
        /// </summary>
        public Cell[] Cells()
        {
            ulong total;
            Native.throng_status status = Native.throng_index_cells(handle, null, UIntPtr.Zero, &total);
            if (status.code != Native.THRONG_NO_ROOM) Status.Check(status);
            var cells = new Cell[total];
            Cells(cells);
            return cells;
        }

        /// <summary>The same into an array of the host's; returns their number.</summary>
        public ulong Cells(Items<Cell> cells)
        {
            using (Pins.Scope call = Pins.Open())
            {
                ulong total;
                Status.Check(Native.throng_index_cells(handle, (Cell*)cells.Pin(call.Pins), cells.Count, &total));
                return total;
            }
        }

        public void Dispose() { handle.Dispose(); }
    }
}
