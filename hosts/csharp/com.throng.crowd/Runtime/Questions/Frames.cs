using System;

namespace Throng
{
    /// <summary>Pairs over time: which begin, which last and which end, from one frame to the next.</summary>
    public sealed unsafe class Contacts : IDisposable
    {
        readonly ContactsHandle handle;
        readonly Lease lease;

        public Contacts(Executor executor = null)
        {
            Status.Begin();
            IntPtr made;
            ExecutorHandle on = Executor.HandleOf(executor);
            Status.Check(Native.throng_contacts_create(on, &made));
            handle = executor == null ? new ContactsHandle(made) : new ContactsHandle(made, on);
            lease = new Lease(handle);
        }

        /// <summary>The next frame: the pairs that Batch.Pairs() finds. It stays until the next call.</summary>
        public ContactFrame Update(Crowd crowd, Pairing pairing = null)
        {
            lease.Renew();
            Native.throng_pairing raw = pairing == null ? Native.throng_pairing.Init : pairing.Raw;
            var frame = Native.throng_contact_frame.Init;
            Status.Check(Native.throng_contacts_update(handle, Crowd.HandleOf(crowd), &raw, &frame));
            return new ContactFrame(frame, lease);
        }

        /// <summary>Forgets the last frame: in the next one all pairs begin.</summary>
        public void Clear()
        {
            lease.Renew();
            Status.Check(Native.throng_contacts_clear(handle));
        }

        /// <summary>Bytes of scratch and of the frame.</summary>
        public ulong Memory
        {
            get
            {
                ulong bytes;
                Status.Check(Native.throng_contacts_memory(handle, &bytes));
                return bytes;
            }
        }

        /// <summary>Gives the scratch back.</summary>
        public void Release()
        {
            lease.Renew();
            Status.Check(Native.throng_contacts_release(handle));
        }

        public void Dispose()
        {
            lease.Renew();
            handle.Dispose();
        }
    }

    /// <summary>Neighbour lists that last over many frames.</summary>
    public sealed unsafe class LastingNeighbours : IDisposable
    {
        readonly LastingHandle handle;
        readonly Lease lists, answers;

        public LastingNeighbours(LastingSettings settings, Executor executor = null)
        {
            Status.Begin();
            IntPtr made;
            ExecutorHandle on = Executor.HandleOf(executor);
            Native.throng_lasting_settings raw = settings.Raw;
            Status.Check(Native.throng_lasting_create(&raw, on, &made));
            handle = executor == null ? new LastingHandle(made) : new LastingHandle(made, on);
            lists = new Lease(handle);
            answers = new Lease(handle);
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
                Status.Check(Native.throng_lasting_update(handle, Crowd.HandleOf(crowd), &raw, &frame));
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
                Status.Check(Native.throng_lasting_neighbours(handle, &raw, &hits));
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
                visit.End(Native.throng_lasting_visit(handle, &raw, Throng.Visit.Neighbours, visit.User));
            }
        }

        /// <summary>Bytes of lists, answers and scratch.</summary>
        public ulong Memory
        {
            get
            {
                ulong bytes;
                Status.Check(Native.throng_lasting_memory(handle, &bytes));
                return bytes;
            }
        }

        /// <summary>Gives all of it back.</summary>
        public void Release()
        {
            lists.Renew();
            answers.Renew();
            Status.Check(Native.throng_lasting_release(handle));
        }

        public void Dispose()
        {
            lists.Renew();
            answers.Renew();
            handle.Dispose();
        }
    }
}
