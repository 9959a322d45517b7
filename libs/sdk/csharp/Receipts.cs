using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using Org.BouncyCastle.Math.EC.Rfc8032;

namespace Assent;

/// <summary>What a holder of receipt and key set can conclude.</summary>
public enum Verdict
{
    /// <summary>A key of the set signed it.</summary>
    VALID,
    /// <summary>Header, content or signature were changed, or the receipt beside the JWS is another one.</summary>
    TAMPERED,
    /// <summary>The key set lacks the key that the receipt names.</summary>
    UNKNOWN_KEY,
    /// <summary>The signature is right, but others may have the key.</summary>
    REVOKED_KEY,
    /// <summary>The receipt claims to be older than the first use of its key.</summary>
    KEY_NOT_YET_VALID,
    /// <summary>It is no receipt.</summary>
    NOT_A_RECEIPT,
}

/// <summary>The outcome of a check.</summary>
/// <param name="Verdict">What can be concluded.</param>
/// <param name="Kid">Id of the key that it names; null if it names none.</param>
/// <param name="RevokedAt">Since when that key counts as compromised.</param>
/// <param name="Receipt">The signed content; null if the signature is wrong.</param>
public sealed record ReceiptVerdict(Verdict Verdict, string? Kid = null, DateTimeOffset? RevokedAt = null, JsonElement? Receipt = null)
{
    /// <summary>The verdict is VALID.</summary>
    public bool Valid => Verdict == Verdict.VALID;
}

/// <summary>Verifies receipts (Ed25519, compact JWS) without a connection.</summary>
public static class Receipts
{
    private const string Type = "consent-receipt+jws";

    /// <summary>Whether a key of the set signed the receipt. Any fault of the receipt is a verdict.</summary>
    /// <param name="receipt">The text that <c>GET /v1/receipts/{id}</c> answered, or the JWS alone.</param>
    /// <param name="keys">What <c>/.well-known/jwks.json</c> answered (<see cref="AssentClient.GetKeySetAsync"/>).</param>
    public static ReceiptVerdict Verify(string receipt, KeySet keys)
    {
        var (jws, beside) = Presented(receipt.Trim());
        var segments = jws?.Split('.') ?? [];
        var parts = segments.Select(Bytes).ToList();
        if (parts.Count != 3 || parts.Contains(null) || CanonicalJson.Parsed(Text(parts[0]!)) is not { ValueKind: JsonValueKind.Object } header)
            return new(Verdict.NOT_A_RECEIPT);
        var kid = Member(header, "kid");
        if (Member(header, "alg") is not ("EdDSA" or "Ed25519") || Member(header, "typ") != Type)
            return new(Verdict.NOT_A_RECEIPT, kid);
        var key = keys.Keys.FirstOrDefault(one => one.Kid == kid && one.Kty == "OKP" && one.Crv == "Ed25519");
        if (key is null || Bytes(key.X) is not { } publicKey || publicKey.Length != Ed25519.PublicKeySize)
            return new(Verdict.UNKNOWN_KEY, kid);
        var signed = Encoding.ASCII.GetBytes($"{segments[0]}.{segments[1]}");
        if (parts[2]!.Length != Ed25519.SignatureSize || !Ed25519.Verify(parts[2], 0, publicKey, 0, signed, 0, signed.Length))
            return new(Verdict.TAMPERED, kid);
        var payload = Text(parts[1]!);
        // The service signs nothing else: a text that two parsers could read differently proves nothing.
        if (CanonicalJson.Parsed(payload) is not { ValueKind: not JsonValueKind.Null } content || CanonicalJson.Of(content) != payload)
            return new(Verdict.NOT_A_RECEIPT, kid);
        if (beside is { } other && CanonicalJson.Of(other) != payload)
            return new(Verdict.TAMPERED, kid);
        return new(Standing(content, key), kid, key.RevokedAt, content);
    }

    private static Verdict Standing(JsonElement receipt, SigningKey key)
    {
        if (key.SignsFrom is { } from && receipt.ValueKind == JsonValueKind.Object && receipt.TryGetProperty("event", out var happened) &&
            (Member(happened, "recordedAt") ?? Member(happened, "at")) is { } recorded &&
            DateTimeOffset.TryParse(recorded, out var at) && at < from)
            return Verdict.KEY_NOT_YET_VALID;
        return key.RevokedAt is null ? Verdict.VALID : Verdict.REVOKED_KEY;
    }

    private static (string? Jws, JsonElement? Beside) Presented(string text)
    {
        if (!text.StartsWith('{'))
            return (text, null);
        return CanonicalJson.Parsed(text) is { } read && read.TryGetProperty("receipt", out var beside) ? (Member(read, "jws"), beside) : (null, null);
    }

    private static string? Member(JsonElement value, string name) =>
        value.ValueKind == JsonValueKind.Object && value.TryGetProperty(name, out var member) && member.ValueKind == JsonValueKind.String ? member.GetString() : null;

    private static string Text(byte[] bytes) => Encoding.UTF8.GetString(bytes);

    /// <summary>Some bytes have several texts in base64url; only the canonical one counts. Null for every other.</summary>
    private static byte[]? Bytes(string segment)
    {
        try
        {
            var bytes = Base64Url.DecodeFromChars(segment);
            return Base64Url.EncodeToString(bytes) == segment ? bytes : null;
        }
        catch (FormatException)
        {
            return null;
        }
    }
}
