using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Assent;

/// <summary>RFC 8785 (JCS), the one text of a JSON value.</summary>
internal static class CanonicalJson
{
    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false };

    /// <summary>The value of a text; null for what is no JSON, has a name twice in an object, or is deeper than 64 levels.</summary>
    internal static JsonElement? Parsed(string text)
    {
        try
        {
            return JsonDocument.Parse(text, Strict).RootElement;
        }
        catch (Exception error) when (error is JsonException or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Null if there is none: a lone surrogate, a number that is no double.</summary>
    internal static string? Of(JsonElement value)
    {
        var text = new StringBuilder();
        try
        {
            Write(value, text);
        }
        catch (Exception error) when (error is InvalidOperationException or FormatException)
        {
            return null;
        }
        return text.ToString();
    }

    private static void Write(JsonElement value, StringBuilder text)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                // UTF-16 units, as RFC 8785 demands.
                Join('{', value.EnumerateObject().OrderBy(member => member.Name, StringComparer.Ordinal), '}', text, member =>
                {
                    WriteText(member.Name, text);
                    text.Append(':');
                    Write(member.Value, text);
                });
                break;
            case JsonValueKind.Array:
                Join('[', value.EnumerateArray(), ']', text, one => Write(one, text));
                break;
            case JsonValueKind.String:
                WriteText(value.GetString()!, text);
                break;
            case JsonValueKind.Number:
                text.Append(NumberOf(value.GetDouble()));
                break;
            default:
                text.Append(value.GetRawText());
                break;
        }
    }

    private static void Join<T>(char begin, IEnumerable<T> values, char end, StringBuilder text, Action<T> write)
    {
        text.Append(begin);
        var first = true;
        foreach (var value in values)
        {
            if (!first)
                text.Append(',');
            first = false;
            write(value);
        }
        text.Append(end);
    }

    private static void WriteText(string value, StringBuilder text)
    {
        text.Append('"');
        foreach (var unit in value)
            _ = unit switch
            {
                '"' or '\\' => text.Append('\\').Append(unit),
                '\b' => text.Append("\\b"),
                '\t' => text.Append("\\t"),
                '\n' => text.Append("\\n"),
                '\f' => text.Append("\\f"),
                '\r' => text.Append("\\r"),
                < ' ' => text.Append(CultureInfo.InvariantCulture, $"\\u{(int)unit:x4}"),
                _ => text.Append(unit),
            };
        text.Append('"');
    }

    /// <summary>As ECMAScript writes a number: the shortest digits, with an exponent from 1e21 and below 1e-6.</summary>
    private static string NumberOf(double number)
    {
        if (!double.IsFinite(number))
            throw new FormatException();
        if (number == 0)
            return "0";
        var shortest = Math.Abs(number).ToString("E16", CultureInfo.InvariantCulture);
        foreach (var digitsAfter in Enumerable.Range(0, 17))
        {
            var tried = Math.Abs(number).ToString($"E{digitsAfter}", CultureInfo.InvariantCulture);
            if (double.Parse(tried, CultureInfo.InvariantCulture) != Math.Abs(number))
                continue;
            shortest = tried;
            break;
        }
        var parts = shortest.Split('E');
        var digits = parts[0].Replace(".", "").TrimEnd('0');
        var point = int.Parse(parts[1], CultureInfo.InvariantCulture) + 1;
        var sign = number < 0 ? "-" : "";
        if (point is > 0 and <= 21)
            return sign + (digits.Length <= point ? digits.PadRight(point, '0') : $"{digits[..point]}.{digits[point..]}");
        if (point is > -6 and <= 0)
            return $"{sign}0.{new string('0', -point)}{digits}";
        var fraction = digits.Length > 1 ? $".{digits[1..]}" : "";
        return string.Create(CultureInfo.InvariantCulture, $"{sign}{digits[0]}{fraction}e{(point > 0 ? "+" : "")}{point - 1}");
    }
}
