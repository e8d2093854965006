using System;

namespace Throng
{
    /// <summary>Pairs over time: which begin, which last and which end, from one frame to the next.</summary>
    public sealed unsafe partial class Contacts : IDisposable
    {
        internal readonly ContactsHandle Handle;
        readonly Lease lease;

        public Contacts(Executor executor = null)
        {
            Status.Begin();
            IntPtr made;
            ExecutorHandle on = Executor.HandleOf(executor);
            Status.Check(Native.throng_contacts_create(on, &made));
            Handle = executor == null ? new ContactsHandle(made) : new ContactsHandle(made, on);
            lease = new Lease(Handle);
        }

        public void Dispose()
        {
            lease.Renew();
            Handle.Dispose();
        }
    }

    /// <summary>Neighbour lists that last over many frames.</summary>
    public sealed unsafe partial class LastingNeighbours : IDisposable
    {
        internal readonly LastingHandle Handle;
        readonly Lease lists, answers;

        public LastingNeighbours(LastingSettings settings, Executor executor = null)
        {
            Status.Begin();
            IntPtr made;
            ExecutorHandle on = Executor.HandleOf(executor);
            Native.throng_lasting_settings raw = settings.Raw;
            Status.Check(Native.throng_lasting_create(&raw, on, &made));
            Handle = executor == null ? new LastingHandle(made) : new LastingHandle(made, on);
            lists = new Lease(Handle);
            answers = new Lease(Handle);
        }

        /// <summary>The next frame: keeps the lists if they hold, or updates the crowd and makes new ones.</summary>
        public LastingFrame Update(Crowd crowd, Agents agents)
        {
            lists.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                agents.Fill(out raw, call.Pins);
                var frame = Native.throng_lasting_frame.Init;
                Status.Check(Native.throng_lasting_update(Handle, Crowd.HandleOf(crowd), &raw, &frame));
                return new LastingFrame(frame, lists);
            }
        }

        /// <summary>The candidates that are within the radius now: answer k is that of Order[k].</summary>
        public Hits Neighbours(Agents agents)
        {
            answers.Renew();
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                agents.Fill(out raw, call.Pins);
                var hits = Native.throng_hits.Init;
                Status.Check(Native.throng_lasting_neighbours(Handle, &raw, &hits));
                return new Hits(hits, answers);
            }
        }

        /// <summary>The same without a list: calls the visitor once for every agent, from several threads at once. If it
        /// throws, no more agents are looked at, and the call throws that.</summary>
        public void Visit(Agents agents, NeighbourVisitor visitor)
        {
            answers.Renew();
            using (Visit visit = Throng.Visit.Of(visitor))
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                agents.Fill(out raw, call.Pins);
                visit.End(Native.throng_lasting_visit(Handle, &raw, Throng.Visit.Neighbours, visit.User));
            }
        }

        public void Dispose()
        {
            lists.Renew();
            answers.Renew();
            Handle.Dispose();
        }
    }
}
