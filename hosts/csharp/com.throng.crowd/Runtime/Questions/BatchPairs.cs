using System;

namespace Throng
{
    public sealed unsafe partial class Batch
    {
        /// <summary>Pairs that overlap or are near each other, each once. `pairing` null: all pairs of agents that overlap.
        /// </summary>
        public Pairs Pairs(Crowd crowd, Pairing pairing = null)
        {
            lease.Renew();
            Native.throng_pairing raw = pairing == null ? Native.throng_pairing.Init : pairing.Raw;
            var pairs = Native.throng_pairs.Init;
            Status.Check(Native.throng_find_pairs(Handle, Crowd.HandleOf(crowd), &raw, &pairs));
            return new Pairs(pairs, lease);
        }

        /// <summary>The same into the host's arrays, of one length; returns the number of pairs. If there is no room for
        /// all, the first are there, and the exception's Index is the room that is needed.</summary>
        public ulong PairsInto(Crowd crowd, Pairing pairing, Items<uint> first, Items<uint> second)
        {
            lease.Renew();
            if (first.Length != second.Length)
                throw Status.Refusal(Code.CountMismatch, "second", Math.Min(first.Length, second.Length));
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_pairing raw = pairing == null ? Native.throng_pairing.Init : pairing.Raw;
                var room = Native.throng_pairs_room.Init;
                room.first = (uint*)first.Pin(call.Pins);
                room.second = (uint*)second.Pin(call.Pins);
                room.room = first.Count;
                Status.Check(Native.throng_find_pairs_into(Handle, Crowd.HandleOf(crowd), &raw, &room));
                return room.total;
            }
        }

        public ulong CountPairs(Crowd crowd, Pairing pairing = null)
        {
            lease.Renew();
            Native.throng_pairing raw = pairing == null ? Native.throng_pairing.Init : pairing.Raw;
            ulong total;
            Status.Check(Native.throng_count_pairs(Handle, Crowd.HandleOf(crowd), &raw, &total));
            return total;
        }

        /// <summary>The nearest to each point.</summary>
        public NearHits Nearest(Crowd crowd, Points points, Nearest nearest)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_points raw;
                points.Fill(out raw, call.Pins);
                Native.throng_nearest how = nearest.Raw;
                var hits = Native.throng_near_hits.Init;
                Status.Check(Native.throng_find_nearest(Handle, Crowd.HandleOf(crowd), &raw, &how, &hits));
                return new NearHits(hits, lease);
            }
        }

        /// <summary>The same into the host's arrays: K slots and a count for each point. Returns how many were found.
        /// </summary>
        public ulong NearestInto(Crowd crowd, Points points, Nearest nearest, Items<Near> near, Items<uint> counts)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_points raw;
                points.Fill(out raw, call.Pins);
                Native.throng_nearest how = nearest.Raw;
                Native.throng_near_room room = Room(near, counts, call.Pins);
                Status.Check(Native.throng_find_nearest_into(Handle, Crowd.HandleOf(crowd), &raw, &how, &room));
                return room.total;
            }
        }

        /// <summary>The nearest to every agent.</summary>
        public NearHits NearestNeighbours(Crowd crowd, Nearest nearest)
        {
            lease.Renew();
            Native.throng_nearest how = nearest.Raw;
            var hits = Native.throng_near_hits.Init;
            Status.Check(Native.throng_nearest_neighbours(Handle, Crowd.HandleOf(crowd), &how, &hits));
            return new NearHits(hits, lease);
        }

        public ulong NearestNeighboursInto(Crowd crowd, Nearest nearest, Items<Near> near, Items<uint> counts)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_nearest how = nearest.Raw;
                Native.throng_near_room room = Room(near, counts, call.Pins);
                Status.Check(Native.throng_nearest_neighbours_into(Handle, Crowd.HandleOf(crowd), &how, &room));
                return room.total;
            }
        }

        static Native.throng_near_room Room(Items<Near> near, Items<uint> counts, Pins pins)
        {
            var room = Native.throng_near_room.Init;
            room.nearest = (Near*)near.Pin(pins);
            room.near_room = near.Count;
            room.counts = (uint*)counts.Pin(pins);
            room.count_room = counts.Count;
            return room;
        }

        /// <summary>Neighbours that no obstacle hides. `looks`: which obstacles hide anything; null: all.</summary>
        public Hits NeighboursInSight(Crowd crowd, Obstacles obstacles, Neighbourhood neighbourhood, Filter? looks = null)
        {
            lease.Renew();
            Native.throng_neighbourhood raw = neighbourhood.Raw;
            Filter filter = looks.GetValueOrDefault();
            var hits = Native.throng_hits.Init;
            Status.Check(Native.throng_neighbours_in_sight(Handle, Crowd.HandleOf(crowd), Obstacles.HandleOf(obstacles),
                looks == null ? null : &filter, &raw, &hits));
            return new Hits(hits, lease);
        }

        public ulong CountNeighboursInSight(Crowd crowd, Obstacles obstacles, Neighbourhood neighbourhood,
            Items<uint> counts, Filter? looks = null)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                ulong sum;
                Native.throng_neighbourhood raw = neighbourhood.Raw;
                Filter filter = looks.GetValueOrDefault();
                Status.Check(Native.throng_count_neighbours_in_sight(Handle, Crowd.HandleOf(crowd),
                    Obstacles.HandleOf(obstacles), looks == null ? null : &filter, &raw, (uint*)counts.Pin(call.Pins),
                    counts.Count, &sum));
                return sum;
            }
        }

        /// <summary>What balls and sectors find and no obstacle hides from their centres.</summary>
        public Hits QueryInSight(Crowd crowd, Obstacles obstacles, Questions questions, Filter? looks = null)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter, look = looks.GetValueOrDefault();
                questions.Fill(out raw, &filter, call.Pins);
                var hits = Native.throng_hits.Init;
                Status.Check(Native.throng_query_in_sight(Handle, Crowd.HandleOf(crowd), Obstacles.HandleOf(obstacles),
                    looks == null ? null : &look, &raw, &hits));
                return new Hits(hits, lease);
            }
        }

        public ulong CountInSight(Crowd crowd, Obstacles obstacles, Questions questions, Items<uint> counts,
            Filter? looks = null)
        {
            lease.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter, look = looks.GetValueOrDefault();
                ulong sum;
                questions.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_count_in_sight(Handle, Crowd.HandleOf(crowd), Obstacles.HandleOf(obstacles),
                    looks == null ? null : &look, &raw, (uint*)counts.Pin(call.Pins), counts.Count, &sum));
                return sum;
            }
        }
    }
}
