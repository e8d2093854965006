"""The texts that generate.py fills in."""

NATIVE_HEAD = """\
using System;
using System.Runtime.InteropServices;

namespace Throng
{
    /// <summary>throng.h as it is. Calls check nothing here: Crowd, Batch and the other classes do.</summary>
    public static unsafe partial class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        const string Library = "__Internal"; // linked into the program
#else
        const string Library = "throng";
#endif
        const CallingConvention Cdecl = CallingConvention.Cdecl;
"""

HANDLE = """\
    /// <summary>Owns a %(c)s.</summary>
    public sealed class %(name)sHandle : NativeHandle
    {
        internal %(name)sHandle(IntPtr value, params NativeHandle[] needs) : base(value, needs) { }
        /// <summary>NULL.</summary>
        internal static readonly %(name)sHandle None = new %(name)sHandle(IntPtr.Zero);
        protected override void Destroy() { Native.%(destroy)s(handle); }
    }
"""


def destroyers(handles):
    """The function that ends each."""
    return [name + ("_release" if name == "throng_snapshot" else "_destroy") for name in handles]


VIEW_TYPES = (("IdView", "uint"), ("OffsetView", "ulong"), ("NearView", "Near"), ("ContactView", "Contact"))

VIEWS_HEAD = """\
using System;
using System.Runtime.InteropServices;
#if UNITY_2021_3_OR_NEWER
using Unity.Collections;
#endif

namespace Throng
{
"""

VIEW = """\
    /// <summary>Elements in the library's memory, good until the next call with the object that gave them. Every
    /// access is checked: an index that is out of range, and a view whose time is over, are refused.</summary>
    public unsafe struct %(name)s
    {
        readonly %(type)s* first;
        readonly Lease lease;
        readonly long lent;

        /// <summary>The number of elements.</summary>
        public readonly long Length;

        internal %(name)s(%(type)s* first, ulong length, Lease lease)
        {
            this.first = first;
            this.lease = lease;
            lent = lease.Number;
            Length = checked((long)length);
        }

        public %(type)s this[long index]
        {
            get
            {
                if ((ulong)index >= (ulong)Length) throw new ArgumentOutOfRangeException("index");
                Lease.Check(lease, lent);
                %(type)s element = first[index];
                GC.KeepAlive(lease); // and so what owns the memory, until it has been read
                return element;
            }
        }

        /// <summary>A part of it.</summary>
        public %(name)s Slice(long begin, long length)
        {
            if (begin < 0 || length < 0 || begin > Length - length) throw new ArgumentOutOfRangeException("begin");
            Lease.Check(lease, lent);
            return new %(name)s(first + begin, (ulong)length, lease);
        }

        /// <summary>The first element, for code that checks by itself. Nothing keeps it valid.</summary>
        public %(type)s* Pointer { get { Lease.Check(lease, lent); return first; } }

        /// <summary>A copy, which stays.</summary>
        public %(type)s[] ToArray()
        {
            Lease.Check(lease, lent);
            var copy = new %(type)s[Length];
            fixed (%(type)s* to = copy)
                if (Length != 0) Buffer.MemoryCopy(first, to, Length * sizeof(%(type)s), Length * sizeof(%(type)s));
            GC.KeepAlive(lease);
            return copy;
        }
#if UNITY_2021_3_OR_NEWER

        /// <summary>The same memory for jobs. It must not be disposed of, and the next call waits for no job: complete
        /// them first.</summary>
        public NativeArray<%(type)s> AsNativeArray()
        {
            Lease.Check(lease, lent);
            return lease.Lend<%(type)s>(first, checked((int)Length));
        }
#endif
    }

"""
EDIT_TYPES = (("Edit", "Float3", ""), ("WorldEdit", "Double3", ", 0"))

EDIT = """\
    public partial struct %(name)s
    {
        public static %(name)s Insert(uint id, %(type)s position)
        {
            return new %(name)s(EditKind.Insert, id, position, 0, default(Float3), 0%(rest)s);
        }

        /// <summary>For crowds that keep half extents.</summary>
        public static %(name)s Insert(uint id, %(type)s position, Float3 halfExtent)
        {
            return new %(name)s(EditKind.Insert, id, position, Kept.HalfExtents, halfExtent, 0%(rest)s);
        }

        public static %(name)s Erase(uint id)
        {
            return new %(name)s(EditKind.Erase, id, default(%(type)s), 0, default(Float3), 0%(rest)s);
        }

        public static %(name)s Move(uint id, %(type)s position)
        {
            return new %(name)s(EditKind.Move, id, position, 0, default(Float3), 0%(rest)s);
        }

        /// <summary>For crowds that keep groups.</summary>
        public %(name)s InGroups(uint groups)
        {
            %(name)s copy = this;
            copy.Groups = groups;
            copy.Kept |= Kept.Groups;
            return copy;
        }
    }
"""

PACKAGE = """\
{
  "name": "com.throng.crowd",
  "version": "%s",
  "displayName": "Throng",
  "description": "Which agents are near which? Questions about very large moving crowds, answered in batches, in 2D and 3D.",
  "unity": "2021.3",
  "license": "MIT"
}
"""
