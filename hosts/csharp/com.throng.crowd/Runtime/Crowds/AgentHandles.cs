using System;

namespace Throng
{
    /// <summary>The name of one agent, of which the crowd can tell that the agent is gone. The Slot is its id in answers,
    /// which other agents have after it. All agents of a crowd are named in the same way: by handles from the first Add() to
    /// an empty crowd on, until Clear(); else by ids of the host's.</summary>
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
}
