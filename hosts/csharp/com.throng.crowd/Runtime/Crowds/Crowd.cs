using System;

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

        public static ulong NearestBound(ulong questions, int k) { return Native.throng_nearest_bound(questions, (uint)k); }

        /// <summary>A crowd of a snapshot ends with the snapshot, and not here.</summary>
        public void Dispose()
        {
            if (owner == null) Handle.Dispose();
        }
    }
}
