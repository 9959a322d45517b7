namespace Assent;

/// <summary>How a client reaches one site and environment of a service.</summary>
public sealed class AssentOptions
{
    /// <summary>Address of the service, such as <c>https://consent.example</c>. A path before <c>/v1</c> may be part of it.</summary>
    public required Uri BaseUrl { get; init; }

    /// <summary>The secret key (<c>sk_…</c>) of the site; a public key (<c>pk_…</c>) for what only public keys may call.</summary>
    public required string ApiKey { get; init; }

    /// <summary>For one call with all its tries and waits. Default: 10 seconds.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>With a public key: the identity token of the person that a call is about; asked for each call.</summary>
    public Func<CancellationToken, ValueTask<string?>>? IdentityToken { get; init; }

    internal Uri Base => new(BaseUrl.AbsoluteUri.TrimEnd('/') + "/");
}
