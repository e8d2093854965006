using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Throng
{
    /// <summary>Looks at ids of an answer, some at a time; returns false to stop. The view ends when it returns. It may ask
    /// the crowd, and must not change it.</summary>
    public delegate bool IdVisitor(IdView ids);
    /// <summary>The same of pairs, first[i] and second[i].</summary>
    public delegate bool PairVisitor(IdView first, IdView second);
    /// <summary>Looks at the neighbours of one agent, on any thread. The view ends when it returns.</summary>
    public delegate void NeighbourVisitor(uint agent, IdView neighbours);

    /// <summary>A call of the library's that calls a delegate. What that throws must not cross the library's frames: it waits
    /// here until the library has returned.</summary>
    sealed unsafe class Visit : IDisposable
    {
        // Static, so that they live as long as the library can call them.
        static readonly Native.throng_visitor seeIds = SeeIds;
        static readonly Native.throng_pair_visitor seePairs = SeePairs;
        static readonly Native.throng_neighbour_visitor seeNeighbours = SeeNeighbours;
        internal static readonly IntPtr Ids = Marshal.GetFunctionPointerForDelegate(seeIds);
        internal static readonly IntPtr Pairs = Marshal.GetFunctionPointerForDelegate(seePairs);
        internal static readonly IntPtr Neighbours = Marshal.GetFunctionPointerForDelegate(seeNeighbours);

        // For views of this thread. A visit that goes on inside of another one makes its own.
        [ThreadStatic] static Lease spare;

        readonly Func<uint, IdView, IdView, bool> see;
        GCHandle self;
        Exception thrown;

        internal Visit(Func<uint, IdView, IdView, bool> see)
        {
            this.see = see;
            self = GCHandle.Alloc(this);
        }

        internal static Visit Of(IdVisitor visitor)
        {
            if (visitor == null) throw new ArgumentNullException("visitor");
            return new Visit((agent, ids, none) => visitor(ids));
        }

        internal static Visit Of(PairVisitor visitor)
        {
            if (visitor == null) throw new ArgumentNullException("visitor");
            return new Visit((agent, first, second) => visitor(first, second));
        }

        internal static Visit Of(NeighbourVisitor visitor)
        {
            if (visitor == null) throw new ArgumentNullException("visitor");
            return new Visit((agent, neighbours, none) =>
            {
                visitor(agent, neighbours);
                return true;
            });
        }

        /// <summary>What the library is told.</summary>
        internal void* User { get { return (void*)GCHandle.ToIntPtr(self); } }

        /// <summary>What the call has come to: throws what the delegate has thrown.</summary>
        internal void End(Native.throng_status status)
        {
            Status.Check(status);
            if (thrown != null) ExceptionDispatchInfo.Capture(thrown).Throw();
        }

        public void Dispose() { self.Free(); }

        /// <summary>1 to go on, 0 to stop. After an exception nothing more is looked at.</summary>
        static int See(void* user, uint agent, uint* first, uint* second, UIntPtr count)
        {
            var visit = (Visit)GCHandle.FromIntPtr((IntPtr)user).Target;
            if (Volatile.Read(ref visit.thrown) != null) return 0;
            try
            {
                Lease lease = spare ?? new Lease(CrowdHandle.None);
                spare = null;
                bool more;
                try
                {
                    more = visit.see(agent, new IdView(first, (ulong)count, lease),
                        new IdView(second, second == null ? 0 : (ulong)count, lease));
                }
                finally { lease.Renew(); }
                spare = lease;
                return more ? 1 : 0;
            }
            catch (Exception exception)
            {
                Interlocked.CompareExchange(ref visit.thrown, exception, null);
                return 0;
            }
        }

#if UNITY_2021_3_OR_NEWER
        [AOT.MonoPInvokeCallback(typeof(Native.throng_visitor))]
#endif
        static int SeeIds(uint* ids, UIntPtr count, void* user) { return See(user, 0, ids, null, count); }

#if UNITY_2021_3_OR_NEWER
        [AOT.MonoPInvokeCallback(typeof(Native.throng_pair_visitor))]
#endif
        static int SeePairs(uint* first, uint* second, UIntPtr count, void* user)
        {
            return See(user, 0, first, second, count);
        }

#if UNITY_2021_3_OR_NEWER
        [AOT.MonoPInvokeCallback(typeof(Native.throng_neighbour_visitor))]
#endif
        static void SeeNeighbours(uint agent, uint* neighbours, UIntPtr count, void* user)
        {
            See(user, agent, neighbours, null, count);
        }
    }

    /// <summary>Answers that are handed to delegates, need no room, and end where enough was seen. What a delegate throws,
    /// the call throws.</summary>
    public sealed unsafe partial class Crowd
    {
        /// <summary>Hands over the ids that one question finds: small agents first, then giants, then statics. Returns how
        /// many were handed over.</summary>
        public ulong VisitOne(Questions question, IdVisitor visitor)
        {
            using (Visit visit = Visit.Of(visitor))
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong visited;
                question.Fill(out raw, &filter, call.Pins);
                visit.End(Native.throng_visit_one(Handle, &raw, Visit.Ids, visit.User, &visited));
                return visited;
            }
        }

        /// <summary>Hands over pairs that overlap, each once, and the same way round as Batch.Pairs(), which also finds those
        /// that are near each other. Returns how many were handed over.</summary>
        public ulong VisitPairs(Pairing pairing, PairVisitor visitor)
        {
            using (Visit visit = Visit.Of(visitor))
            {
                Native.throng_pairing raw = pairing == null ? Native.throng_pairing.Init : pairing.Raw;
                ulong visited;
                visit.End(Native.throng_visit_pairs(Handle, &raw, Visit.Pairs, visit.User, &visited));
                return visited;
            }
        }
    }
}
