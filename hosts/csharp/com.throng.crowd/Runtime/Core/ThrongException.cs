using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Throng
{
    /// <summary>What the library refused. Nothing has changed, and the message is the library's sentence.</summary>
    public sealed class ThrongException : Exception
    {
        /// <summary>The cause.</summary>
        public readonly Code Code;
        /// <summary>What was wrong, such as "positions".</summary>
        public readonly string Argument;
        /// <summary>Its first wrong element; of Code.NoRoom the length that is needed.</summary>
        public readonly ulong Index;

        internal ThrongException(Code code, string argument, ulong index, string sentence, Exception inner)
            : base(sentence, inner)
        {
            Code = code;
            Argument = argument;
            Index = index;
        }
    }

    static unsafe class Status
    {
        static bool fits;
        // What a callback of this thread has thrown. It must not cross the library's frames, so it waits here.
        [ThreadStatic] static Exception thrown;

        /// <summary>Whether the library is the one that this package was written for; before the first object.</summary>
        internal static void Begin()
        {
            if (fits) return;
            Check(Native.throng_check_abi(Native.THRONG_ABI));
            fits = true;
        }

        internal static void Caught(Exception exception)
        {
            if (thrown == null) thrown = exception;
        }

        internal static void Check(Native.throng_status status)
        {
            if (status.code == 0 && thrown == null) return;
            Exception inner = thrown;
            thrown = null;
            if (status.code != 0) throw Refused(status, inner);
            throw new InvalidOperationException("a callback has thrown, and the call has done its work", inner);
        }

        internal static string Text(byte* text)
        {
            int length = 0;
            while (text[length] != 0) ++length;
            return Encoding.UTF8.GetString(text, length);
        }

        static ThrongException Refused(Native.throng_status status, Exception inner)
        {
            var text = new byte[(int)Native.throng_status_text(status, null, UIntPtr.Zero) + 1];
            fixed (byte* to = text) Native.throng_status_text(status, to, (UIntPtr)text.Length);
            string sentence = Encoding.UTF8.GetString(text, 0, text.Length - 1);
            return new ThrongException((Code)status.code, Text(status.argument), status.index, sentence, inner);
        }

        /// <summary>A refusal of what the library cannot see, such as the length of an array, in its own words.</summary>
        internal static ThrongException Refusal(Code code, string argument, long index)
        {
            IntPtr name = Marshal.StringToHGlobalAnsi(argument);
            try
            {
                return Refused(new Native.throng_status {
                    code = (int)code, argument = (byte*)name, index = (ulong)index }, null);
            }
            finally { Marshal.FreeHGlobal(name); }
        }
    }
}
