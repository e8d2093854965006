using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>Counts what holds. A test that throws has failed; the others go on.</summary>
static class Check
{
    static int passed, failed;

    public static void Test(string name, Action test)
    {
        try
        {
            test();
            ++passed;
        }
        catch (Exception exception)
        {
            ++failed;
            Console.WriteLine("FAILED " + name + ": " + exception);
        }
    }

    /// <summary>In the plane and in space.</summary>
    public static void Both(string name, Action<int> test)
    {
        foreach (int dimension in new[] { 2, 3 }) Test(name + " " + dimension + "D", () => test(dimension));
    }

    public static void That(bool holds, string what)
    {
        if (!holds) throw new Exception("it does not hold that " + what);
    }

    public static void Same<T>(T expected, T actual, string what)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
            throw new Exception(what + " should be " + expected + " and is " + actual);
    }

    public static void Close(double expected, double actual, string what)
    {
        if (expected != actual && !(Math.Abs(expected - actual) <= 1e-3))
            throw new Exception(what + " should be " + expected + " and is " + actual);
    }

    public static void Lists<T>(IEnumerable<T> expected, IEnumerable<T> actual, string what)
    {
        if (!expected.SequenceEqual(actual))
            throw new Exception(what + " should be [" + string.Join(" ", expected) + "] and are ["
                + string.Join(" ", actual) + "]");
    }

    /// <summary>The call is refused by the library, with this sentence.</summary>
    public static ThrongException Refused(Code code, string sentence, Action call)
    {
        ThrongException exception = Throws<ThrongException>(call);
        Same(sentence, exception.Message, "the sentence");
        Same(code, exception.Code, "the code");
        return exception;
    }

    /// <summary>The call is refused by an exception of C#'s.</summary>
    public static T Throws<T>(Action call) where T : Exception
    {
        try
        {
            call();
        }
        catch (T exception)
        {
            return exception;
        }
        throw new Exception("no " + typeof(T).Name);
    }

    public static int Report()
    {
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
