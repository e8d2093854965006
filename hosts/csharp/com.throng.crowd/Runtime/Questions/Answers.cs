namespace Throng
{
    /// <summary>What each question found, in the batch's memory: good until its next call.</summary>
    public unsafe struct Hits
    {
        /// <summary>Those of question q are Ids[Offsets[q]] ... Ids[Offsets[q + 1] - 1].</summary>
        public readonly OffsetView Offsets;
        public readonly IdView Ids;
        /// <summary>The number of questions.</summary>
        public readonly long Count;

        internal Hits(Native.throng_hits raw, Lease lease)
        {
            Offsets = new OffsetView(raw.offsets, raw.offsets == null ? 0 : raw.count + 1, lease);
            Ids = new IdView(raw.ids, raw.total, lease);
            Count = (long)raw.count;
        }

        /// <summary>What question q found.</summary>
        public IdView this[long q]
        {
            get
            {
                ulong begin = Offsets[q];
                return Ids.Slice((long)begin, (long)(Offsets[q + 1] - begin));
            }
        }
    }

    /// <summary>Pairs: First[i] and Second[i], in the batch's memory.</summary>
    public unsafe struct Pairs
    {
        public readonly IdView First, Second;
        public long Count { get { return First.Length; } }

        internal Pairs(Native.throng_pairs raw, Lease lease)
        {
            First = new IdView(raw.first, raw.total, lease);
            Second = new IdView(raw.second, raw.total, lease);
        }
    }

    /// <summary>K slots for each question, of which the first Counts[q] are filled, in the batch's memory.</summary>
    public unsafe struct NearHits
    {
        public readonly NearView Slots;
        public readonly IdView Counts;
        /// <summary>The number of questions.</summary>
        public readonly long Count;
        public readonly int K;

        internal NearHits(Native.throng_near_hits raw, Lease lease)
        {
            Slots = new NearView(raw.nearest, raw.count * raw.k, lease);
            Counts = new IdView(raw.counts, raw.count, lease);
            Count = (long)raw.count;
            K = (int)raw.k;
        }

        /// <summary>The nearest of question q.</summary>
        public NearView this[long q] { get { return Slots.Slice(q * K, Counts[q]); } }
    }

    /// <summary>The pairs of a frame, those that begin, and those of the frame before that have ended.</summary>
    public unsafe struct ContactFrame
    {
        public readonly ContactView Pairs;
        /// <summary>Of each pair: its index in the frame before, or Native.THRONG_NO_CONTACT: it begins.</summary>
        public readonly IdView Previous;
        /// <summary>The indices of the pairs that begin.</summary>
        public readonly IdView Began;
        public readonly ContactView Ended;
        /// <summary>The index of each of these in the frame before.</summary>
        public readonly IdView EndedPrevious;

        internal ContactFrame(Native.throng_contact_frame raw, Lease lease)
        {
            Pairs = new ContactView(raw.pairs, raw.pair_count, lease);
            Previous = new IdView(raw.previous, raw.pair_count, lease);
            Began = new IdView(raw.began, raw.began_count, lease);
            Ended = new ContactView(raw.ended, raw.ended_count, lease);
            EndedPrevious = new IdView(raw.ended_previous, raw.ended_count, lease);
        }
    }

    /// <summary>Lists that last: those of Order[k] are Candidates[Offsets[k]] ... Candidates[Offsets[k + 1] - 1].</summary>
    public unsafe struct LastingFrame
    {
        public readonly IdView Order;
        public readonly OffsetView Offsets;
        public readonly IdView Candidates;
        /// <summary>How often lists were made, and how many frames have kept these.</summary>
        public readonly ulong Made, Lasted;
        /// <summary>The farthest that any agent has been from where it was when the lists were made.</summary>
        public readonly float Moved;

        internal LastingFrame(Native.throng_lasting_frame raw, Lease lease)
        {
            ulong total = raw.offsets == null ? 0 : raw.offsets[raw.count];
            Order = new IdView(raw.order, raw.count, lease);
            Offsets = new OffsetView(raw.offsets, raw.offsets == null ? 0 : raw.count + 1, lease);
            Candidates = new IdView(raw.candidates, total, lease);
            Made = raw.made;
            Lasted = raw.lasted;
            Moved = raw.moved;
        }
    }

    public partial struct Meeting
    {
        /// <summary>Comes before every hit of a path.</summary>
        public static readonly Meeting BeforeAll = new Meeting(-1, 0);
    }
}
