using System;

namespace Throng
{
    /// <summary>The name of one agent, of which the crowd can tell that the agent is gone. The Slot is its id in answers,
    /// which other agents have after it.</summary>
    public partial struct AgentHandle : IEquatable<AgentHandle>
    {
        /// <summary>Whether it is that of no agent.</summary>
        public bool IsNone { get { return Owner == 0; } }

        public bool Equals(AgentHandle other)
        {
            return Slot == other.Slot && Generation == other.Generation && Owner == other.Owner;
        }

        public override bool Equals(object other) { return other is AgentHandle && Equals((AgentHandle)other); }
        public override int GetHashCode() { return (int)(Slot ^ Generation * 0x9E3779B9u ^ Owner * 0x85EBCA6Bu); }
        public static bool operator ==(AgentHandle a, AgentHandle b) { return a.Equals(b); }
        public static bool operator !=(AgentHandle a, AgentHandle b) { return !a.Equals(b); }
    }

    /// <summary>Agents that the crowd itself names. All agents of a crowd are named in the same way: by handles from the
    /// first Add() to an empty crowd on, until Clear(); else by ids of the host's.</summary>
    public sealed unsafe partial class Crowd
    {
        /// <summary>Adds agents, all of them or none, with exactly what the crowd keeps of each. There must be cells, from
        /// settings or an update.</summary>
        public AgentHandle[] Add(Agents agents, Executor executor = null)
        {
            var handles = new AgentHandle[agents.Count];
            Add(agents, handles, executor);
            return handles;
        }

        /// <summary>The same into an array of the host's, with room for them.</summary>
        public void Add(Agents agents, Items<AgentHandle> handles, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                agents.Fill(out raw, call.Pins);
                Status.Check(Native.throng_crowd_add(Handle, &raw, (AgentHandle*)handles.Pin(call.Pins), handles.Count,
                    Executor.HandleOf(executor)));
            }
        }

        /// <summary>Removes agents, all of them or none.</summary>
        public void Remove(Items<AgentHandle> handles, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
                Status.Check(Native.throng_crowd_remove(Handle, (AgentHandle*)handles.Pin(call.Pins), handles.Count,
                    Executor.HandleOf(executor)));
        }

        /// <summary>Moves agents, all of them or none, to the positions of as many others, of which nothing else is used.
        /// </summary>
        public void Move(Items<AgentHandle> handles, Agents to, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_agents raw;
                to.Fill(out raw, call.Pins);
                Status.Check(Native.throng_crowd_move(Handle, (AgentHandle*)handles.Pin(call.Pins), handles.Count, &raw,
                    Executor.HandleOf(executor)));
            }
        }

        /// <summary>The ids of these agents, all of which must be there.</summary>
        public uint[] Resolve(Items<AgentHandle> handles)
        {
            var ids = new uint[handles.Length];
            Resolve(handles, ids);
            return ids;
        }

        public void Resolve(Items<AgentHandle> handles, Items<uint> ids)
        {
            using (Pins.Scope call = Pins.Open())
                Status.Check(Native.throng_crowd_resolve(Handle, (AgentHandle*)handles.Pin(call.Pins), handles.Count,
                    (uint*)ids.Pin(call.Pins), ids.Count));
        }

        /// <summary>The way back: the handles of the agents with these ids, of which those of no agent are none.</summary>
        public AgentHandle[] Handles(Items<uint> ids)
        {
            var handles = new AgentHandle[ids.Length];
            Handles(ids, handles);
            return handles;
        }

        public void Handles(Items<uint> ids, Items<AgentHandle> handles)
        {
            using (Pins.Scope call = Pins.Open())
                Status.Check(Native.throng_crowd_handles(Handle, (uint*)ids.Pin(call.Pins), ids.Count,
                    (AgentHandle*)handles.Pin(call.Pins), handles.Count));
        }
    }
}
