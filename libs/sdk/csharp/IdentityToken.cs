using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Assent;

/// <summary>
/// Tokens by which the public key of your page reaches the subject of the logged-in person. Make one on your server for
/// the person of the session, and hand it to the page.
/// </summary>
public static partial class IdentityToken
{
    /// <summary>The longest lifetime of a token.</summary>
    public static readonly TimeSpan LifetimeMax = TimeSpan.FromDays(1);

    /// <summary>Signs a token (HS256, under a key that is derived from the secret key).</summary>
    /// <param name="subject">The person, <c>kind:value</c>, such as <c>user_id:42</c>; not the id of a subject.</param>
    /// <param name="secretKey">A secret key of the site (<c>sk_…</c>). Revoking it ends its tokens.</param>
    /// <param name="site">The site of the key, by its name.</param>
    /// <param name="lifetime">Whole seconds, at most a day. Default: a quarter of an hour.</param>
    /// <param name="scope">Limits the token to these scopes. Default: all that a public key may do.</param>
    /// <exception cref="ArgumentException">An argument is not as described.</exception>
    public static string Sign(string subject, string secretKey, string site, TimeSpan? lifetime = null, IReadOnlyCollection<string>? scope = null)
    {
        var key = SecretKey().Match(secretKey ?? "");
        if (!key.Success)
            throw new ArgumentException("must be a secret key, which begins with sk_test_ or sk_live_", nameof(secretKey));
        if (!Reference().IsMatch(subject ?? ""))
            throw new ArgumentException("must be <kind>:<value>, such as user_id:42", nameof(subject));
        if (string.IsNullOrEmpty(site))
            throw new ArgumentException("must be the name of the site that the key belongs to", nameof(site));
        var life = lifetime ?? TimeSpan.FromMinutes(15);
        if (life < TimeSpan.FromSeconds(1) || life > LifetimeMax || life.Ticks % TimeSpan.TicksPerSecond != 0)
            throw new ArgumentOutOfRangeException(nameof(lifetime), "must be whole seconds, from one to a day");
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var claims = new Dictionary<string, object>
        {
            ["iss"] = site,
            ["aud"] = "consent-api",
            ["sub"] = subject!,
            ["env"] = key.Groups[1].Value,
            ["iat"] = now,
            ["exp"] = now + (long)life.TotalSeconds,
        };
        if (scope is not null)
            claims["scope"] = scope;
        var header = new Dictionary<string, object> { ["alg"] = "HS256", ["typ"] = "consent-identity+jwt", ["kid"] = $"key_{key.Groups[2].Value}" };
        var signed = $"{Segment(header)}.{Segment(claims)}";
        var mac = HKDF.DeriveKey(HashAlgorithmName.SHA256, Encoding.UTF8.GetBytes(secretKey!), 32, info: "consent-identity-token/v1"u8.ToArray());
        return $"{signed}.{Base64Url.EncodeToString(HMACSHA256.HashData(mac, Encoding.ASCII.GetBytes(signed)))}";
    }

    private static string Segment(Dictionary<string, object> value) => Base64Url.EncodeToString(JsonSerializer.SerializeToUtf8Bytes(value));

    [GeneratedRegex("^sk_(test|live)_([0-9A-Za-z]{12})")]
    private static partial Regex SecretKey();

    [GeneratedRegex("^(?!subject:)[a-z][a-z0-9_.]*:.")]
    private static partial Regex Reference();
}
