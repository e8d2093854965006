using System;

namespace Throng
{
    /// <summary>What a crowd is, before it has agents.</summary>
    public sealed class CrowdSettings
    {
        internal Native.throng_crowd_settings Raw = Native.throng_crowd_settings.Init;
        internal MemorySource Source;

        public CrowdSettings(int dimension = 2) { Raw.dimension = (uint)dimension; }

        /// <summary>Agents outside are kept and found. Without bounds they follow from the first update.</summary>
        public CrowdSettings Bounds(Float3 lo, Float3 hi)
        {
            Raw.lo = lo;
            Raw.hi = hi;
            Raw.given |= Native.THRONG_GIVEN_BOUNDS;
            return this;
        }

        /// <summary>The size of a cell; only with bounds.</summary>
        public CrowdSettings Cell(Float3 size)
        {
            Raw.cell = size;
            Raw.given |= Native.THRONG_GIVEN_CELL;
            return this;
        }

        /// <summary>A sum of 1, 2, 4: the world wraps around on x, y, z.</summary>
        public uint Periodic { get { return Raw.periodic; } set { Raw.periodic = value; } }
        /// <summary>Where local coordinates are zero: for positions in doubles.</summary>
        public Double3 Origin { get { return Raw.origin; } set { Raw.origin = value; } }
        /// <summary>What each agent has of its own; needed only to insert before the first update.</summary>
        public Kept Kept { get { return (Kept)Raw.kept; } set { Raw.kept = (uint)value; } }
        public Float3 CommonHalfExtent
        {
            get { return Raw.common_half_extent; }
            set { Raw.common_half_extent = value; }
        }
        /// <summary>Where the crowd takes its memory from; null: the heap.</summary>
        public MemorySource Memory { get { return Source; } set { Source = value; } }

        internal NativeHandle[] Fill(out Native.throng_crowd_settings raw)
        {
            raw = Raw;
            if (Source == null) return new NativeHandle[0];
            raw.memory = Source.Handle.DangerousGetHandle(); // the new handle needs it, and keeps it
            return new NativeHandle[] { Source.Handle };
        }
    }

    /// <summary>Which agents are within Radius of me?</summary>
    public sealed class Neighbourhood
    {
        internal Native.throng_neighbourhood Raw = Native.throng_neighbourhood.Init;

        public Neighbourhood(float radius) { Raw.radius = radius; }

        public float Radius { get { return Raw.radius; } set { Raw.radius = value; } }
        public uint Groups { get { return Raw.groups; } set { Raw.groups = value; } }
        public Sets Sets { get { return (Sets)Raw.sets; } set { Raw.sets = (uint)value; } }
        /// <summary>Order.Storage: answer k is that of the k-th id of Crowd.Order(); Order.Ids: that of agent k.</summary>
        public Order Order { get { return (Order)Raw.order; } set { Raw.order = (uint)value; } }
        public bool WithSelf { get { return Raw.with_self != 0; } set { Raw.with_self = value ? 1u : 0; } }
        /// <summary>Of each two agents only the first finds the other.</summary>
        public bool LaterOnly { get { return Raw.later_only != 0; } set { Raw.later_only = value ? 1u : 0; } }
        public Body Body { get { return (Body)Raw.body; } set { Raw.body = (uint)value; } }
    }

    /// <summary>Which pairs are wanted: those that overlap, or with Within of zero or more those that are near.</summary>
    public sealed class Pairing
    {
        internal Native.throng_pairing Raw = Native.throng_pairing.Init;

        public PairSets Sets { get { return (PairSets)Raw.sets; } set { Raw.sets = (uint)value; } }
        public uint Groups { get { return Raw.groups; } set { Raw.groups = value; } }
        public float Within { get { return Raw.within; } set { Raw.within = value; } }
        public Body Body { get { return (Body)Raw.body; } set { Raw.body = (uint)value; } }
    }

    /// <summary>The K nearest within Radius, by distance, and at equal distances by id.</summary>
    public sealed class Nearest
    {
        internal Native.throng_nearest Raw = Native.throng_nearest.Init;

        public Nearest(int k) { Raw.k = (uint)k; }

        public int K { get { return (int)Raw.k; } set { Raw.k = (uint)value; } }
        public float Radius { get { return Raw.radius; } set { Raw.radius = value; } }
        public Sets Sets { get { return (Sets)Raw.sets; } set { Raw.sets = (uint)value; } }
        public uint Groups { get { return Raw.groups; } set { Raw.groups = value; } }
        /// <summary>For points only: an id that is left out.</summary>
        public uint Without { get { return Raw.without; } set { Raw.without = value; } }
        /// <summary>For all agents only.</summary>
        public Order Order { get { return (Order)Raw.order; } set { Raw.order = (uint)value; } }
        /// <summary>For all agents only.</summary>
        public bool WithSelf { get { return Raw.with_self != 0; } set { Raw.with_self = value ? 1u : 0; } }
        /// <summary>Nearer ones are left out.</summary>
        public float Least { get { return Raw.least; } set { Raw.least = value; } }
        public HeightBand Band { get { return Raw.band; } set { Raw.band = value; } }
        /// <summary>For points only: only agents that come after this one, as the last of the page before.</summary>
        public Near After { get { return Raw.after; } set { Raw.after = value; } }
        public Body Body { get { return (Body)Raw.body; } set { Raw.body = (uint)value; } }
    }

    /// <summary>Neighbour lists that last: made with a skin around the radius, and kept while no agent has moved farther
    /// than half of it.</summary>
    public sealed class LastingSettings
    {
        internal Native.throng_lasting_settings Raw = Native.throng_lasting_settings.Init;

        public LastingSettings(float radius, float skin)
        {
            Raw.radius = radius;
            Raw.skin = skin;
        }

        public uint Groups { get { return Raw.groups; } set { Raw.groups = value; } }
        public Sets Sets { get { return (Sets)Raw.sets; } set { Raw.sets = (uint)value; } }
        public bool WithSelf { get { return Raw.with_self != 0; } set { Raw.with_self = value ? 1u : 0; } }
        public bool LaterOnly { get { return Raw.later_only != 0; } set { Raw.later_only = value ? 1u : 0; } }
    }

    /// <summary>Which obstacles count as the nearest.</summary>
    public sealed class ObstacleSearch
    {
        internal Native.throng_obstacle_search Raw = Native.throng_obstacle_search.Init;

        public float Within { get { return Raw.within; } set { Raw.within = value; } }
        public uint Groups { get { return Raw.groups; } set { Raw.groups = value; } }
        public uint Without { get { return Raw.without; } set { Raw.without = value; } }
    }

    /// <summary>The heap with a cap: a call that would go beyond it is refused, and has changed nothing.</summary>
    public sealed unsafe class MemorySource : IDisposable
    {
        internal readonly MemoryHandle Handle;

        /// <summary>The most bytes in use at a time; 0: no cap.</summary>
        public MemorySource(ulong cap)
        {
            Status.Begin();
            var settings = Native.throng_memory_settings.Init;
            settings.cap = cap;
            IntPtr made;
            Status.Check(Native.throng_memory_create(&settings, &made));
            Handle = new MemoryHandle(made);
        }

        /// <summary>Bytes in use, the most so far, and the number of refusals.</summary>
        public void Count(out ulong used, out ulong peak, out ulong refused)
        {
            var counts = Native.throng_memory_counts.Init;
            Status.Check(Native.throng_memory_count(Handle, &counts));
            used = counts.used;
            peak = counts.peak;
            refused = counts.refused;
        }

        public void Dispose() { Handle.Dispose(); }
    }
}
