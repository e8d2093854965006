using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using Throng;

/// <summary>What C# makes of the generated structures, compared with what a C compiler made of throng.h.</summary>
static class LayoutTest
{
    public static void Run(string list)
    {
        Check.Test("layouts are C's", () => Layouts(list));
        Check.Test("numbers are C's", () => Numbers(list));
        Check.Test("all functions are there", () => Functions(list));
        Check.Test("the library is the one that was meant", () =>
        {
            Check.That(Library.Version.Split('.').Length == 3, "it says its version");
            Check.That(Library.Isa.Length > 0, "it says its instruction set");
        });
    }

    static IEnumerable<string[]> Lines(string list, string kind)
    {
        return File.ReadLines(list).Select(line => line.Split(' ')).Where(words => words[0] == kind);
    }

    static string Pascal(string name)
    {
        return string.Concat(name.Split('_').Select(word => char.ToUpperInvariant(word[0]) + word.Substring(1)));
    }

    static Type TypeOf(string name)
    {
        return typeof(Native).GetNestedType(name)
            ?? typeof(Crowd).Assembly.GetType("Throng." + Pascal(name.Substring(7)), true);
    }

    static void Layouts(string list)
    {
        int structs = 0, fields = 0;
        foreach (string[] words in Lines(list, "struct"))
        {
            Check.Same(int.Parse(words[2]), Marshal.SizeOf(TypeOf(words[1])), "the size of " + words[1]);
            ++structs;
        }
        foreach (string[] words in Lines(list, "field"))
        {
            string[] name = words[1].Split('.');
            Type type = TypeOf(name[0]);
            string field = type.IsNested ? name[1] : Pascal(name[1]);
            if (type.GetField(field) == null) field += "0"; // an array, of which each element has a field of its own
            Check.Same(int.Parse(words[2]), (int)Marshal.OffsetOf(type, field), "the place of " + words[1]);
            Type of = type.GetField(field).FieldType;
            if (!field.EndsWith("0"))
                Check.Same(int.Parse(words[3]), SizeOf(of), "the size of " + words[1]);
            ++fields;
        }
        Check.That(structs > 70 && fields > 300, "the list was read");
    }

    static int SizeOf(Type type)
    {
        if (type.IsEnum) type = Enum.GetUnderlyingType(type);
        return type.IsPointer ? IntPtr.Size : Marshal.SizeOf(type);
    }

    static void Numbers(string list)
    {
        int count = 0;
        foreach (string[] words in Lines(list, "number"))
        {
            FieldInfo field = typeof(Native).GetField(words[1]);
            Check.That(field != null, words[1] + " is there");
            Check.Same(uint.Parse(words[2]), (uint)field.GetRawConstantValue(), words[1]);
            ++count;
        }
        Check.That(count > 100, "the list was read");
        Check.Same(Native.THRONG_NOT_CONVEX, (uint)Code.NotConvex, "a code");
        Check.Same(Native.THRONG_BODY_DISC, (uint)Body.Disc, "a body");
        Check.Same(Native.THRONG_MOVING_CAPSULE3, (uint)ObstacleShape.MovingCapsule3, "a shape");
    }

    static void Functions(string list)
    {
        int count = 0;
        foreach (string[] words in Lines(list, "function"))
        {
            MethodInfo method = typeof(Native).GetMethod(words[1]);
            Check.That(method != null, words[1] + " is declared");
            Marshal.Prelink(method); // throws if the library has no such function
            string taken = string.Join(" ", words.Skip(2));
            Check.Same(taken.Contains("(void)") ? 0 : taken.Count(letter => letter == ',') + 1,
                method.GetParameters().Length,
                "the number of parameters of " + words[1]);
            ++count;
        }
        Check.That(count > 100, "the list was read");
    }
}
