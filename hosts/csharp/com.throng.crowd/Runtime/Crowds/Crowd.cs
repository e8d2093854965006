using System;
using System.Text;

namespace Throng
{
    /// <summary>A crowd in the plane or in space. It is either changed, by one call, or asked, by any number.</summary>
    public sealed unsafe partial class Crowd : IDisposable
    {
        public const uint NoId = Native.THRONG_NO_ID;
        public const uint AllGroups = Native.THRONG_ALL_GROUPS;
        /// <summary>The id of static i is FirstStatic + i.</summary>
        public const uint FirstStatic = Native.THRONG_FIRST_STATIC;

        internal readonly CrowdHandle Handle;
        readonly object owner; // of a snapshot's crowd: the snapshot

        /// <summary>An empty crowd of dimension 2 or 3.</summary>
        public Crowd(int dimension) : this(new CrowdSettings(dimension)) { }

        public Crowd(CrowdSettings settings)
        {
            Status.Begin();
            Native.throng_crowd_settings raw;
            NativeHandle[] needs = settings.Fill(out raw);
            IntPtr made;
            Status.Check(Native.throng_crowd_create(&raw, &made));
            Handle = new CrowdHandle(made, needs);
            GC.KeepAlive(settings);
        }

        internal Crowd(IntPtr borrowed, object owner)
        {
            Handle = new CrowdHandle(borrowed);
            Handle.Borrow();
            this.owner = owner;
        }

        internal static CrowdHandle HandleOf(Crowd crowd) { return crowd == null ? CrowdHandle.None : crowd.Handle; }

        /// <summary>Replaces all agents: everything has moved. The id of agent i is i. Where agents have handles there is an
        /// element for each slot, Counts.SlotBound of them; those of slots without an agent are not read.</summary>
        public void Update(Agents agents, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                agents.Fill(out raw, call.Pins);
                Status.Check(Native.throng_crowd_update(Handle, &raw, Executor.HandleOf(executor)));
            }
        }

        /// <summary>Replaces all statics, which never move; updates leave them as they are.</summary>
        public void SetStatics(Agents statics, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                statics.Fill(out raw, call.Pins);
                Status.Check(Native.throng_crowd_set_statics(Handle, &raw, Executor.HandleOf(executor)));
            }
        }

        /// <summary>Takes the memory now that updates of up to this many agents need.</summary>
        public void Reserve(ulong agents, Executor executor = null)
        {
            Status.Check(Native.throng_crowd_reserve(Handle, (UIntPtr)agents, Executor.HandleOf(executor)));
        }

        /// <summary>Makes all of these edits, or none.</summary>
        public void Edit(Items<Edit> edits, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
                Status.Check(Native.throng_crowd_edit(Handle, (Edit*)edits.Pin(call.Pins), edits.Count,
                    Executor.HandleOf(executor)));
        }

        /// <summary>Forgets all agents; keeps statics, cells and memory.</summary>
        public void Clear() { Status.Check(Native.throng_crowd_clear(Handle)); }

        public void Save(string path)
        {
            fixed (byte* text = PathOf(path)) Status.Check(Native.throng_crowd_save(Handle, text));
        }

        /// <summary>Replaces the content of the crowd by a file's.</summary>
        public void Load(string path)
        {
            fixed (byte* text = PathOf(path)) Status.Check(Native.throng_crowd_load(Handle, text));
        }

        static byte[] PathOf(string path)
        {
            if (path == null) return null;
            // C would take the part before the zero for the whole.
            if (path.IndexOf('\0') >= 0) throw Status.Refusal(Code.WrongValue, "path", 0);
            return Encoding.UTF8.GetBytes(path + "\0");
        }

        public CrowdCounts Counts
        {
            get
            {
                var raw = Native.throng_crowd_counts.Init;
                Status.Check(Native.throng_crowd_count(Handle, &raw));
                return new CrowdCounts(raw);
            }
        }

        /// <summary>The ids of all agents in the order of their answers with Order.Storage.</summary>
        public uint[] Order()
        {
            var ids = new uint[Counts.Agents];
            Order(ids);
            return ids;
        }

        public void Order(Items<uint> ids)
        {
            using (Pins.Scope call = Pins.Open())
                Status.Check(Native.throng_crowd_order(Handle, (uint*)ids.Pin(call.Pins), ids.Count));
        }

        /// <summary>The ids that one question finds, and their number, without a batch.</summary>
        public ulong QueryOne(Questions question, Items<uint> ids)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong total;
                question.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_query_one(Handle, &raw, (uint*)ids.Pin(call.Pins), ids.Count, &total));
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
                Status.Check(Native.throng_count_one(Handle, &raw, &total));
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
                Status.Check(Native.throng_any_one(Handle, &raw, &found));
                return found != 0;
            }
        }

        /// <summary>The first hit of a segment, ray or capsule; of none the id is NoId.</summary>
        public Meeting FirstOne(Questions path)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                Meeting meeting;
                path.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_first_one(Handle, &raw, &meeting));
                return meeting;
            }
        }

        /// <summary>The same among the hits that come after one, as the last that was looked at: by time, then by id. All
        /// hits come after Meeting.BeforeAll.</summary>
        public Meeting FirstAfterOne(Questions path, Meeting last)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                Meeting meeting;
                path.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_first_after_one(Handle, &raw, &last, &meeting));
                return meeting;
            }
        }

        /// <summary>All hits of a segment, ray or capsule, by time, then by id, and their number. Allocates what its answer
        /// takes.</summary>
        public ulong MeetingsOne(Questions path, Items<Meeting> meetings)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong total;
                path.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_meetings_one(Handle, &raw, (Meeting*)meetings.Pin(call.Pins), meetings.Count,
                    &total));
                return total;
            }
        }

        /// <summary>The nearest to one point; there must be room for K. Returns their number.</summary>
        public ulong NearestOne(Points point, Nearest nearest, Items<Near> near)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_points raw;
                ulong total;
                point.Fill(out raw, call.Pins);
                Native.throng_nearest how = nearest.Raw;
                Status.Check(Native.throng_find_nearest_one(Handle, &raw, &how, (Near*)near.Pin(call.Pins), near.Count,
                    &total));
                return total;
            }
        }

        /// <summary>What one question costs, and by which way it is answered.</summary>
        public QueryCosts Explain(Questions question)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                question.Fill(out raw, &filter, call.Pins);
                var costs = Native.throng_query_costs.Init;
                Status.Check(Native.throng_explain(Handle, &raw, &costs));
                return new QueryCosts(costs);
            }
        }

        /// <summary>The most ids, pairs or nearest that there can be: with that much room no call lacks any.</summary>
        public ulong QueryBound(ulong questions, Sets sets)
        {
            return Native.throng_query_bound(Handle, questions, (uint)sets);
        }

        public ulong AnswersBound(Order order) { return Native.throng_answers_bound(Handle, (uint)order); }
        public ulong NeighboursBound(Sets sets) { return Native.throng_neighbours_bound(Handle, (uint)sets); }
        public ulong PairsBound(PairSets sets) { return Native.throng_pairs_bound(Handle, (uint)sets); }
        public static ulong NearestBound(ulong questions, int k) { return Native.throng_nearest_bound(questions, (uint)k); }

        /// <summary>A crowd of a snapshot ends with the snapshot, and not here.</summary>
        public void Dispose()
        {
            if (owner == null) Handle.Dispose();
        }
    }
}
