using System;

namespace Throng
{
    /// <summary>A crowd that is asked while it is updated. One thread at a time changes it; any number of threads acquire
    /// the last finished frame, and keep it for as long as they like.</summary>
    public sealed unsafe partial class PublishedCrowd : IDisposable
    {
        internal readonly PublishedHandle Handle;

        public PublishedCrowd(CrowdSettings settings)
        {
            Status.Begin();
            Native.throng_crowd_settings raw;
            NativeHandle[] needs = settings.Fill(out raw);
            IntPtr made;
            Status.Check(Native.throng_published_create(&raw, &made));
            Handle = new PublishedHandle(made, needs);
            GC.KeepAlive(settings);
        }

        /// <summary>The last frame; null before the first. Never waits for an update. Dispose of it.</summary>
        public Snapshot Acquire()
        {
            IntPtr made;
            Status.Check(Native.throng_snapshot_acquire(Handle, &made));
            return made == IntPtr.Zero ? null : new Snapshot(new SnapshotHandle(made, Handle));
        }

        public void Dispose() { Handle.Dispose(); }
    }

    /// <summary>A finished frame.</summary>
    public sealed unsafe class Snapshot : IDisposable
    {
        readonly SnapshotHandle handle;
        /// <summary>The number of the frame, counted from 1.</summary>
        public readonly ulong Frame;
        /// <summary>It can be asked but not changed, and ends with the snapshot.</summary>
        public readonly Crowd Crowd;

        internal Snapshot(SnapshotHandle handle)
        {
            this.handle = handle;
            ulong frame;
            IntPtr crowd;
            Status.Check(Native.throng_snapshot_look(handle, &frame, &crowd));
            Frame = frame;
            Crowd = new Crowd(crowd, this);
        }

        public void Dispose() { handle.Dispose(); }
    }
}
