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

        static Native.throng_hits_room Room(Items<ulong> offsets, Items<uint> ids, Pins pins)
        {
            var room = Native.throng_hits_room.Init;
            room.offsets = (ulong*)offsets.Pin(pins);
            room.offset_room = offsets.Count;
            room.ids = (uint*)ids.Pin(pins);
            room.id_room = ids.Count;
            return room;
        }

        static Native.throng_pairs_room Room(Items<uint> first, Items<uint> second, Pins pins)
        {
            if (first.Length != second.Length)
                throw Status.Refusal(Code.CountMismatch, "second", Math.Min(first.Length, second.Length));
            var room = Native.throng_pairs_room.Init;
            room.first = (uint*)first.Pin(pins);
            room.second = (uint*)second.Pin(pins);
            room.room = first.Count;
            return room;
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

        public void Dispose()
        {
            lease.Renew();
            Handle.Dispose();
        }
    }
}
