using System;

namespace Throng
{
    /// <summary>A crowd that is asked while it is updated. One thread at a time changes it; any number of threads acquire
    /// the last finished frame, and keep it for as long as they like.</summary>
    public sealed unsafe class PublishedCrowd : IDisposable
    {
        readonly PublishedHandle handle;

        public PublishedCrowd(CrowdSettings settings)
        {
            Status.Begin();
            Native.throng_crowd_settings raw;
            NativeHandle[] needs = settings.Fill(out raw);
            IntPtr made;
            Status.Check(Native.throng_published_create(&raw, &made));
            handle = new PublishedHandle(made, needs);
            GC.KeepAlive(settings);
        }

        /// <summary>Builds the next frame and publishes it.</summary>
        public void Update(Agents agents, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                agents.Fill(out raw, call.Pins);
                Status.Check(Native.throng_published_update(handle, &raw, Executor.HandleOf(executor)));
            }
        }

        public void Reserve(ulong agents, Executor executor = null)
        {
            Status.Check(Native.throng_published_reserve(handle, (UIntPtr)agents, Executor.HandleOf(executor)));
        }

        /// <summary>Replaces all statics, from the next update on.</summary>
        public void SetStatics(Agents statics, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                statics.Fill(out raw, call.Pins);
                Status.Check(Native.throng_published_set_statics(handle, &raw, Executor.HandleOf(executor)));
            }
        }

        /// <summary>The last frame; null before the first. Never waits for an update. Dispose of it.</summary>
        public Snapshot Acquire()
        {
            IntPtr made;
            Status.Check(Native.throng_snapshot_acquire(handle, &made));
            return made == IntPtr.Zero ? null : new Snapshot(new SnapshotHandle(made, handle));
        }

        public void Dispose() { handle.Dispose(); }
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
