using System;
using System.Runtime.InteropServices;

namespace Throng
{
    /// <summary>Owns an object of the library. It is destroyed when no call uses it any more and no other handle needs
    /// it, in whatever order C# lets go of them.</summary>
    public abstract class NativeHandle : SafeHandle
    {
        readonly NativeHandle[] needs;
        GCHandle host;
        bool borrowed;

        internal NativeHandle(IntPtr value, NativeHandle[] needs) : base(IntPtr.Zero, true)
        {
            this.needs = needs;
            foreach (NativeHandle need in needs)
            {
                bool added = false;
                need.DangerousAddRef(ref added);
            }
            SetHandle(value);
        }

        /// <summary>Lets go of it together with this handle: what the library's callbacks are told.</summary>
        internal void Keep(GCHandle what) { host = what; }

        /// <summary>Leaves the object to whoever made it.</summary>
        internal void Borrow() { borrowed = true; }

        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }

        protected abstract void Destroy();

        protected override bool ReleaseHandle()
        {
            if (!borrowed) Destroy();
            foreach (NativeHandle need in needs) need.DangerousRelease();
            if (host.IsAllocated) host.Free();
            return true;
        }
    }

    /// <summary>How long answers in the library's memory may be read: until their owner's next call.</summary>
    public sealed unsafe class Lease
    {
        readonly NativeHandle owner; // as long as a view can be reached, so can what owns its memory
        long number = 1;

        internal Lease(NativeHandle owner) { this.owner = owner; }

        internal long Number { get { return number; } }

        /// <summary>Ends what was lent.</summary>
        internal void Renew()
        {
#if UNITY_2021_3_OR_NEWER && ENABLE_UNITY_COLLECTIONS_CHECKS
            if (watched)
            {
                // Throws while a job reads the answers, which then stay.
                Unity.Collections.LowLevel.Unsafe.AtomicSafetyHandle.CheckDeallocateAndThrow(safety);
                Unity.Collections.LowLevel.Unsafe.AtomicSafetyHandle.Release(safety);
                watched = false;
            }
#endif
            ++number;
        }

        internal static void Check(Lease lease, long lent)
        {
            if (lease == null || lease.number != lent || lease.owner.IsClosed)
                throw new InvalidOperationException(
                    "these answers are gone: they stay only until the next call with the object that gave them");
        }
#if UNITY_2021_3_OR_NEWER
#if ENABLE_UNITY_COLLECTIONS_CHECKS
        Unity.Collections.LowLevel.Unsafe.AtomicSafetyHandle safety;
        bool watched;
#endif

        internal Unity.Collections.NativeArray<T> Lend<T>(void* first, int length) where T : struct
        {
            var array = Unity.Collections.LowLevel.Unsafe.NativeArrayUnsafeUtility
                .ConvertExistingDataToNativeArray<T>(first, length, Unity.Collections.Allocator.None);
#if ENABLE_UNITY_COLLECTIONS_CHECKS
            if (!watched) safety = Unity.Collections.LowLevel.Unsafe.AtomicSafetyHandle.Create();
            watched = true;
            Unity.Collections.LowLevel.Unsafe.NativeArrayUnsafeUtility.SetAtomicSafetyHandle(ref array, safety);
#endif
            return array;
        }
#endif
    }
}
