using System;

namespace Throng
{
    /// <summary>Asks many questions at once. Answers are views of its memory, good until its next call; it keeps the
    /// memory, so steady frames allocate nothing. It serves one call at a time.</summary>
    public sealed unsafe partial class Batch : IDisposable
    {
        internal readonly BatchHandle Handle;
        readonly Lease lease;

        public Batch(Executor executor = null)
        {
            Status.Begin();
            IntPtr made;
            ExecutorHandle on = Executor.HandleOf(executor);
            Status.Check(Native.throng_batch_create(on, &made));
            Handle = executor == null ? new BatchHandle(made) : new BatchHandle(made, on);
            lease = new Lease(Handle);
        }

        /// <summary>The agents that each shape finds.</summary>
        public Hits Query(Crowd crowd, Questions questions)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                questions.Fill(out raw, &filter, call.Pins);
                var hits = Native.throng_hits.Init;
                Status.Check(Native.throng_query(Handle, Crowd.HandleOf(crowd), &raw, &hits));
                return new Hits(hits, lease);
            }
        }

        /// <summary>The same into the host's arrays; returns the number of ids. If there is no room for all, the offsets
        /// are right, the first ids are there, and the exception's Index is the room that is needed. Up to 16 ids behind
        /// the last may be overwritten.</summary>
        public ulong QueryInto(Crowd crowd, Questions questions, Items<ulong> offsets, Items<uint> ids)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                questions.Fill(out raw, &filter, call.Pins);
                Native.throng_hits_room room = Room(offsets, ids, call.Pins);
                Status.Check(Native.throng_query_into(Handle, Crowd.HandleOf(crowd), &raw, &room));
                return room.total;
            }
        }

        /// <summary>The number of agents that each shape finds; returns their sum.</summary>
        public ulong Count(Crowd crowd, Questions questions, Items<uint> counts)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong sum;
                questions.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_count(Handle, Crowd.HandleOf(crowd), &raw, (uint*)counts.Pin(call.Pins),
                    counts.Count, &sum));
                return sum;
            }
        }

        /// <summary>1 for each shape that finds an agent, else 0; returns the number of ones.</summary>
        public ulong Any(Crowd crowd, Questions questions, Items<uint> found)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong sum;
                questions.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_any(Handle, Crowd.HandleOf(crowd), &raw, (uint*)found.Pin(call.Pins),
                    found.Count, &sum));
                return sum;
            }
        }

        /// <summary>The first hit of each segment, ray or capsule; returns how many hit something.</summary>
        public ulong First(Crowd crowd, Questions paths, Items<Meeting> meetings)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong sum;
                paths.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_first(Handle, Crowd.HandleOf(crowd), &raw, (Meeting*)meetings.Pin(call.Pins),
                    meetings.Count, &sum));
                return sum;
            }
        }

        /// <summary>The agents near every agent.</summary>
        public Hits Neighbours(Crowd crowd, Neighbourhood neighbourhood)
        {
            lease.Renew();
            Native.throng_neighbourhood raw = neighbourhood.Raw;
            var hits = Native.throng_hits.Init;
            Status.Check(Native.throng_neighbours(Handle, Crowd.HandleOf(crowd), &raw, &hits));
            return new Hits(hits, lease);
        }

        /// <summary>The same into the host's arrays, as QueryInto().</summary>
        public ulong NeighboursInto(Crowd crowd, Neighbourhood neighbourhood, Items<ulong> offsets, Items<uint> ids)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_neighbourhood raw = neighbourhood.Raw;
                Native.throng_hits_room room = Room(offsets, ids, call.Pins);
                Status.Check(Native.throng_neighbours_into(Handle, Crowd.HandleOf(crowd), &raw, &room));
                return room.total;
            }
        }

        public ulong CountNeighbours(Crowd crowd, Neighbourhood neighbourhood, Items<uint> counts)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                ulong sum;
                Native.throng_neighbourhood raw = neighbourhood.Raw;
                Status.Check(Native.throng_count_neighbours(Handle, Crowd.HandleOf(crowd), &raw,
                    (uint*)counts.Pin(call.Pins), counts.Count, &sum));
                return sum;
            }
        }

        static Native.throng_hits_room Room(Items<ulong> offsets, Items<uint> ids, Pins pins)
        {
            var room = Native.throng_hits_room.Init;
            room.offsets = (ulong*)offsets.Pin(pins);
            room.offset_room = offsets.Count;
            room.ids = (uint*)ids.Pin(pins);
            room.id_room = ids.Count;
            return room;
        }

        /// <summary>The bytes that the batch keeps, answers included.</summary>
        public ulong Memory
        {
            get
            {
                ulong bytes;
                Status.Check(Native.throng_batch_memory(Handle, &bytes));
                return bytes;
            }
        }

        /// <summary>Gives the memory back; answers are gone.</summary>
        public void Release()
        {
            lease.Renew();
            Status.Check(Native.throng_batch_release(Handle));
        }

        public void Dispose()
        {
            lease.Renew();
            Handle.Dispose();
        }
    }
}
