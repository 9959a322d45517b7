using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace Assent;

/// <summary>Why a webhook is not taken.</summary>
public enum WebhookFault
{
    /// <summary>The header <c>Consent-Signature</c> is missing.</summary>
    MISSING_HEADER,
    /// <summary>The header has no form that the service writes.</summary>
    MALFORMED_HEADER,
    /// <summary>None of the secrets made one of the signatures over this body.</summary>
    NO_MATCH,
    /// <summary>The signature is too old or too new.</summary>
    TIMESTAMP_OUT_OF_TOLERANCE,
    /// <summary>The signature is right, but the body is no event.</summary>
    INVALID_PAYLOAD,
}

/// <summary>A webhook that is not taken. Answer 401.</summary>
public sealed class WebhookSignatureException(WebhookFault fault) : Exception($"The webhook is not taken: {fault}.")
{
    /// <summary>Why.</summary>
    public WebhookFault Fault { get; } = fault;
}

/// <summary>Checks webhooks by the signature in <c>Consent-Signature</c>.</summary>
public static class Webhooks
{
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);

    /// <summary>The event of a webhook with a right signature; also one of a type that this version does not know.</summary>
    /// <param name="header"><c>Consent-Signature</c>, as in the request.</param>
    /// <param name="rawBody">The body as it came, before any parser.</param>
    /// <param name="secret">The secret of the endpoint (<c>whsec_…</c>).</param>
    /// <param name="otherSecret">During a rotation, the other one.</param>
    /// <param name="tolerance">How old or new a signature may be. Default: 5 minutes. Zero: any age.</param>
    /// <exception cref="WebhookSignatureException">It is not to be taken.</exception>
    /// <exception cref="ArgumentException">A secret is empty: any sender could sign with it.</exception>
    public static WebhookEvent ConstructEvent(string? header, ReadOnlySpan<byte> rawBody, string secret, string? otherSecret = null, TimeSpan? tolerance = null)
    {
        if (FaultOf(header, rawBody, secret, otherSecret, tolerance ?? Tolerance) is { } fault)
            throw new WebhookSignatureException(fault);
        try
        {
            if (JsonSerializer.Deserialize<WebhookEvent>(rawBody, AssentClient.Json) is { Type: not null } taken)
                return taken;
        }
        catch (JsonException)
        {
            // No event.
        }
        throw new WebhookSignatureException(WebhookFault.INVALID_PAYLOAD);
    }

    /// <summary>Whether one of the secrets signed the body, not too long ago.</summary>
    /// <inheritdoc cref="ConstructEvent"/>
    public static bool Verify(string? header, ReadOnlySpan<byte> rawBody, string secret, string? otherSecret = null, TimeSpan? tolerance = null) =>
        FaultOf(header, rawBody, secret, otherSecret, tolerance ?? Tolerance) is null;

    private static WebhookFault? FaultOf(string? header, ReadOnlySpan<byte> body, string secret, string? otherSecret, TimeSpan tolerance)
    {
        var keys = new List<byte[]> { KeyOf(secret) };
        if (otherSecret is not null)
            keys.Add(KeyOf(otherSecret));
        if (string.IsNullOrEmpty(header))
            return WebhookFault.MISSING_HEADER;
        var fields = header.Split(',').Select(field => field.Trim().Split('=')).Select(field => (Name: field[0], Value: field.Length > 1 ? field[1] : "")).ToList();
        var times = fields.Where(field => field.Name == "t").Select(field => field.Value).ToList();
        var signatures = fields.Where(field => field.Name == "v1").Select(field => FromHex(field.Value)).ToList();
        if (times.Count != 1 || times[0].Length is 0 or > 12 || !times[0].All(char.IsAsciiDigit) || signatures.Count == 0)
            return WebhookFault.MALFORMED_HEADER;
        byte[] signed = [.. Encoding.ASCII.GetBytes($"{times[0]}."), .. body];
        var fitting = 0;
        // Compares every pair, so that timing does not show which one fits.
        foreach (var key in keys)
        {
            var mac = HMACSHA256.HashData(key, signed);
            fitting += signatures.Count(signature => CryptographicOperations.FixedTimeEquals(mac, signature));
        }
        if (fitting == 0)
            return WebhookFault.NO_MATCH;
        var apart = DateTimeOffset.UtcNow - DateTimeOffset.UnixEpoch - TimeSpan.FromSeconds(long.Parse(times[0], CultureInfo.InvariantCulture));
        return tolerance > TimeSpan.Zero && apart.Duration() > tolerance ? WebhookFault.TIMESTAMP_OUT_OF_TOLERANCE : null;
    }

    /// <summary>The part after <c>whsec_</c>, decoded; for a secret without that prefix its characters.</summary>
    private static byte[] KeyOf(string secret)
    {
        var key = secret.StartsWith("whsec_", StringComparison.Ordinal) ? Convert.FromBase64String(secret[6..]) : Encoding.UTF8.GetBytes(secret);
        return key.Length > 0 ? key : throw new ArgumentException("must be the whole secret of the endpoint", nameof(secret));
    }

    /// <summary>Empty if the text is no hex in small letters.</summary>
    private static byte[] FromHex(string hex) =>
        hex.Length % 2 == 0 && hex.All(char.IsAsciiHexDigitLower) ? Convert.FromHexString(hex) : [];
}
