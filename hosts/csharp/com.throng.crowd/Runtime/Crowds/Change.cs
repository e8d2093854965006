using System;

namespace Throng
{
    /// <summary>Updates and edits in steps, for job systems that cut the work themselves: as long as Blocks is not zero, run
    /// each block once, in any jobs, and then call Next(). Until then the crowd serves no other call, and arrays stay
    /// where they are.</summary>
    public sealed unsafe class Change : IDisposable
    {
        readonly ChangeHandle handle;
        readonly Pins pins = new Pins();
        CrowdHandle crowd; // the library would give the change up with the crowd

        /// <summary>The number of blocks of the loop that is to be run now; 0: all is done.</summary>
        public long Blocks { get; private set; }
        /// <summary>More threads than so many gain nothing.</summary>
        public long ThreadsWorth { get; private set; }

        public Change()
        {
            Status.Begin();
            IntPtr made;
            Status.Check(Native.throng_change_create(&made));
            handle = new ChangeHandle(made);
        }

        /// <summary>Begins to replace all agents. `threads`: how many work on a loop at most; 0: not known. A change that
        /// has not ended is cancelled first.</summary>
        public void Update(Crowd crowd, Agents agents, int threads = 0)
        {
            if (threads < 0) throw Status.Refusal(Code.OutOfRange, "threads", 0);
            Cancel();
            try
            {
                Native.throng_agents raw;
                agents.Fill(out raw, pins);
                var loop = Native.throng_loop.Init;
                Begun(crowd, Native.throng_change_update(handle, Crowd.HandleOf(crowd), &raw, (UIntPtr)threads, &loop),
                    loop);
            }
            catch
            {
                pins.Free(0);
                throw;
            }
        }

        /// <summary>Begins a list of edits, which is copied.</summary>
        public void Edit(Crowd crowd, Items<Edit> edits)
        {
            Cancel();
            using (Pins.Scope call = Pins.Open())
            {
                var loop = Native.throng_loop.Init;
                Begun(crowd, Native.throng_change_edit(handle, Crowd.HandleOf(crowd), (Edit*)edits.Pin(call.Pins),
                    edits.Count, &loop), loop);
            }
        }

        void Begun(Crowd of, Native.throng_status status, Native.throng_loop loop)
        {
            Status.Check(status);
            crowd = of.Handle;
            Take(loop);
        }

        void Take(Native.throng_loop loop)
        {
            Blocks = (long)loop.blocks;
            ThreadsWorth = (long)loop.threads_worth;
            if (Blocks == 0) End();
        }

        void End()
        {
            Blocks = 0;
            GC.KeepAlive(crowd);
            crowd = null;
            pins.Free(0);
        }

        /// <summary>Runs blocks begin ... end - 1, on whatever thread. Calls may overlap in time.</summary>
        public void Run(long begin, long end)
        {
            if (begin < 0 || end < begin) throw new ArgumentOutOfRangeException(begin < 0 ? "begin" : "end");
            Status.Check(Native.throng_change_run(handle, (UIntPtr)begin, (UIntPtr)end));
        }

        /// <summary>Ends the loop and goes on to the next. No Run() may go on meanwhile.</summary>
        public void Next()
        {
            var loop = Native.throng_loop.Init;
            Native.throng_status status = Native.throng_change_next(handle, &loop);
            if (status.code != 0) End();
            Status.Check(status);
            Take(loop);
        }

        /// <summary>Gives the change up: the crowd is as it was, or, if it has begun to change, all the rest is done here.
        /// </summary>
        public void Cancel()
        {
            Status.Check(Native.throng_change_cancel(handle));
            End();
        }

        public void Dispose()
        {
            handle.Dispose();
            End();
        }
    }
}
