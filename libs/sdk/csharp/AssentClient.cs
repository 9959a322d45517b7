using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Assent;

/// <summary>
/// Every operation of the service that servers call. Make one for each key and keep it: it is safe for all threads, keeps
/// its connections, and its reads contain its own earlier writes.
/// </summary>
public partial class AssentClient
{
    private KeySet? _keys;

    /// <summary>A client with connections of its own.</summary>
    public AssentClient(AssentOptions options)
        : this(new HttpClient(new AssentHandler(options) { InnerHandler = Connections() })
        {
            BaseAddress = options.Base,
            // The handler has a time for each call.
            Timeout = Timeout.InfiniteTimeSpan,
        })
    {
    }

    /// <summary>
    /// Whether a key of the service signed the receipt, and what holds for that key. Fetches the key set once, and again
    /// for a key that it lacks.
    /// </summary>
    /// <param name="receipt">The text that <c>GET /v1/receipts/{id}</c> answered, or the JWS alone.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="AssentException">The key set could not be fetched.</exception>
    public async Task<ReceiptVerdict> VerifyReceiptAsync(string receipt, CancellationToken cancellationToken = default)
    {
        var known = _keys;
        var keys = _keys ??= await GetKeySetAsync(cancellationToken).ConfigureAwait(false);
        var verdict = Receipts.Verify(receipt, keys);
        if (verdict.Verdict != Verdict.UNKNOWN_KEY || known is null)
            return verdict;
        _keys = await GetKeySetAsync(cancellationToken).ConfigureAwait(false);
        return Receipts.Verify(receipt, _keys);
    }

    /// <inheritdoc cref="VerifyReceiptAsync(string, CancellationToken)"/>
    public Task<ReceiptVerdict> VerifyReceiptAsync(ReceiptAnswer receipt, CancellationToken cancellationToken = default) =>
        VerifyReceiptAsync(JsonSerializer.Serialize(receipt, Json), cancellationToken);

    internal static JsonSerializerOptions Json => _settings.Value;

    static partial void UpdateJsonSerializerSettings(JsonSerializerOptions settings)
    {
        // The service refuses null for what is left out. To send null, put it into AdditionalProperties.
        settings.DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull;
        settings.TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { NothingIsRequired } };
    }

    /// <summary>What an older service does not answer yet is null. The compiler still demands it of requests.</summary>
    private static void NothingIsRequired(JsonTypeInfo type)
    {
        foreach (var property in type.Properties)
            property.IsRequired = false;
    }

    private static SocketsHttpHandler Connections() =>
        // So that a change of the address is seen. The service never sends a caller elsewhere with its key.
        new() { PooledConnectionLifetime = TimeSpan.FromMinutes(5), AllowAutoRedirect = false };
}
