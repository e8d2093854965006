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

        /// <summary>Whether updates lay other cells when these no longer suit the agents. True unless told.</summary>
        public bool Refits
        {
            get { return (Raw.given & Native.THRONG_KEEPS_CELLS) == 0; }
            set
            {
                Raw.given = value ? Raw.given & ~Native.THRONG_KEEPS_CELLS : Raw.given | Native.THRONG_KEEPS_CELLS;
            }
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
