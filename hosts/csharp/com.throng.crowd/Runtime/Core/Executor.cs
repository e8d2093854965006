using System;
using System.Runtime.InteropServices;

namespace Throng
{
    /// <summary>Jobs 0 ... Count - 1 of a loop. They never throw, and may run on any threads.</summary>
    public unsafe struct Jobs
    {
        sealed class Known
        {
            internal readonly IntPtr Address;
            internal readonly Native.throng_job Job;

            internal Known(IntPtr address)
            {
                Address = address;
                Job = (Native.throng_job)Marshal.GetDelegateForFunctionPointer(address, typeof(Native.throng_job));
            }
        }

        static volatile Known last; // the library has few such functions, and a delegate is garbage
        readonly Known known;
        readonly IntPtr context;
        public readonly long Count;

        internal Jobs(IntPtr job, UIntPtr count, void* context)
        {
            Known found = last;
            if (found == null || found.Address != job) last = found = new Known(job);
            known = found;
            this.context = (IntPtr)context;
            Count = (long)count;
        }

        /// <summary>Does jobs begin ... end - 1. Each must be done once.</summary>
        public void Run(long begin, long end) { known.Job((UIntPtr)begin, (UIntPtr)end, (void*)context); }
    }

    /// <summary>A job system of the host's.</summary>
    public abstract class JobSystem
    {
        /// <summary>Takes over all jobs, and does them here or on other threads. Returns what Finish() waits for; null
        /// where all are done.</summary>
        public abstract object Enqueue(Jobs jobs);
        /// <summary>Returns when all these jobs have returned.</summary>
        public virtual void Finish(object task) { }
        /// <summary>How many threads work on a loop at most, the calling one included; 0: not known.</summary>
        public virtual int Threads { get { return 0; } }
    }

    /// <summary>Runs the blocks of updates and batches. Results are the same to the bit on each. Where one may be given,
    /// null is the default: oneTBB, or in a library without it a pool that all calls share.</summary>
    public sealed unsafe class Executor : IDisposable
    {
        // Static, so that they live as long as the library can call them.
        static readonly Native.throng_executor_callbacks_enqueue enqueue = Enqueue;
        static readonly Native.throng_executor_callbacks_finish finish = Finish;

        internal readonly ExecutorHandle Handle;

        Executor(IntPtr handle) { Handle = new ExecutorHandle(handle); }

        internal static ExecutorHandle HandleOf(Executor executor)
        {
            return executor == null ? ExecutorHandle.None : executor.Handle;
        }

        /// <summary>The calling thread.</summary>
        public static Executor Serial() { return OfKind(ExecutorKind.Serial, 0); }

        /// <summary>Threads of the library's own; 0: one for each processor.</summary>
        public static Executor Pool(int threads = 0) { return OfKind(ExecutorKind.Pool, threads); }

        public static Executor OfKind(ExecutorKind kind, int threads)
        {
            Status.Begin();
            if (threads < 0) throw Status.Refusal(Code.OutOfRange, "threads", 0);
            IntPtr made;
            Status.Check(Native.throng_executor_create_kind((uint)kind, (UIntPtr)threads, &made));
            return new Executor(made);
        }

        /// <summary>A job system of the host's. If it throws, the call that needed it does.</summary>
        public static Executor Of(JobSystem system)
        {
            if (system == null) throw new ArgumentNullException("system");
            Status.Begin();
            GCHandle user = GCHandle.Alloc(system);
            try
            {
                var callbacks = Native.throng_executor_callbacks.Init;
                callbacks.enqueue = Marshal.GetFunctionPointerForDelegate(enqueue);
                callbacks.finish = Marshal.GetFunctionPointerForDelegate(finish);
                callbacks.user = (void*)GCHandle.ToIntPtr(user);
                callbacks.threads = (UIntPtr)system.Threads;
                IntPtr made;
                Status.Check(Native.throng_executor_create(&callbacks, &made));
                var executor = new Executor(made);
                executor.Handle.Keep(user);
                return executor;
            }
            catch
            {
                user.Free();
                throw;
            }
        }

#if UNITY_2021_3_OR_NEWER
        [AOT.MonoPInvokeCallback(typeof(Native.throng_executor_callbacks_enqueue))]
#endif
        static void* Enqueue(IntPtr job, UIntPtr count, void* context, void* user)
        {
            try
            {
                var system = (JobSystem)GCHandle.FromIntPtr((IntPtr)user).Target;
                object task = system.Enqueue(new Jobs(job, count, context));
                return task == null ? null : (void*)GCHandle.ToIntPtr(GCHandle.Alloc(task));
            }
            catch (Exception exception)
            {
                Status.Caught(exception); // the library finds jobs missing, and its call fails
                return null;
            }
        }

#if UNITY_2021_3_OR_NEWER
        [AOT.MonoPInvokeCallback(typeof(Native.throng_executor_callbacks_finish))]
#endif
        static void Finish(void* task, void* user)
        {
            GCHandle handle = GCHandle.FromIntPtr((IntPtr)task);
            try
            {
                ((JobSystem)GCHandle.FromIntPtr((IntPtr)user).Target).Finish(handle.Target);
            }
            catch (Exception exception)
            {
                Status.Caught(exception);
            }
            finally { handle.Free(); }
        }

        /// <summary>What an executor is; of null what the default is. `threads`: how many may work on a call from this
        /// thread; 0: not known.</summary>
        public static ExecutorKind Describe(Executor executor, out long threads)
        {
            Status.Begin();
            var facts = Native.throng_executor_facts.Init;
            Status.Check(Native.throng_executor_describe(HandleOf(executor), &facts));
            threads = (long)facts.threads;
            return (ExecutorKind)facts.kind;
        }

        public void Dispose() { Handle.Dispose(); }
    }
}
