using System.Globalization;
using System.Net.Http.Headers;

namespace Assent;

/// <summary>
/// Sends a request with the key: up to three tries within the time, with random waits (full jitter), longer where
/// <c>Retry-After</c> says so. All tries of a write share one idempotency key, so that it has one effect. Reads carry the
/// position of the last write. What is refused becomes an <see cref="AssentException"/>.
/// </summary>
/// <remarks>With <c>IHttpClientFactory</c> it is the message handler of <see cref="AssentClient"/>.</remarks>
public sealed class AssentHandler(AssentOptions options) : DelegatingHandler
{
    private const int Tries = 3;
    private const string IdempotencyKey = "Idempotency-Key";
    private const string LogPosition = "X-Log-Position";
    /// <summary>Bytes of an answer.</summary>
    private const long AnswerMax = 64 * 1024 * 1024;
    private static readonly TimeSpan FirstWait = TimeSpan.FromMilliseconds(300);
    private readonly Lock _lock = new();
    /// <summary>Position in the log of the latest known write.</summary>
    private ulong? _position;

    /// <inheritdoc/>
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        await AddHeaders(request, cancellationToken).ConfigureAwait(false);
        var clock = TimeProvider.System;
        var begin = clock.GetTimestamp();
        for (var tries = 1; ; tries++)
        {
            var left = options.Timeout - clock.GetElapsedTime(begin);
            // Half of the time, so that another try is possible after one that hangs.
            var (response, failure) = await Try(request, tries < Tries ? left / 2 : left, cancellationToken).ConfigureAwait(false);
            if (failure is null)
                return response!;
            var wait = failure.RetryAfter + FirstWait * (Random.Shared.NextDouble() * (1 << (tries - 1)));
            if (!failure.MayPass || tries == Tries || clock.GetElapsedTime(begin) + wait >= options.Timeout)
                throw failure;
            await Task.Delay(wait, cancellationToken).ConfigureAwait(false);
        }
    }

    private async ValueTask AddHeaders(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", options.ApiKey);
        if (options.IdentityToken is { } identityToken && await identityToken(cancellationToken).ConfigureAwait(false) is { } token)
            request.Headers.TryAddWithoutValidation("Consent-Identity", token);
        if (request.Method != HttpMethod.Get && !request.Headers.Contains(IdempotencyKey))
            request.Headers.Add(IdempotencyKey, Guid.NewGuid().ToString());
        if (request.Method != HttpMethod.Get)
            return;
        lock (_lock)
        {
            if (_position is { } position)
                request.Headers.Add(LogPosition, position.ToString(CultureInfo.InvariantCulture));
        }
    }

    /// <summary>One try. An answer that breaks off is no answer.</summary>
    private async Task<(HttpResponseMessage?, AssentException?)> Try(HttpRequestMessage request, TimeSpan time, CancellationToken cancellationToken)
    {
        using var late = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        late.CancelAfter(time > TimeSpan.Zero ? time : TimeSpan.Zero);
        HttpResponseMessage? response = null;
        try
        {
            response = await base.SendAsync(request, late.Token).ConfigureAwait(false);
            await response.Content.LoadIntoBufferAsync(AnswerMax, late.Token).ConfigureAwait(false);
            Note(response.Headers);
            if ((int)response.StatusCode < 400)
                return (response, null);
            var failure = await AssentException.Of(response, late.Token).ConfigureAwait(false);
            response.Dispose();
            return (null, failure);
        }
        catch (Exception error) when (error is HttpRequestException or IOException or OperationCanceledException)
        {
            response?.Dispose();
            cancellationToken.ThrowIfCancellationRequested();
            return (null, error is OperationCanceledException
                ? new AssentException("timed_out", "No answer came in time.", error)
                : new AssentException("no_connection", "The service could not be reached.", error));
        }
    }

    private void Note(HttpResponseHeaders headers)
    {
        if (!headers.TryGetValues(LogPosition, out var values) || !ulong.TryParse(values.First(), NumberStyles.None, CultureInfo.InvariantCulture, out var position))
            return;
        lock (_lock)
        {
            if (position > (_position ?? 0))
                _position = position;
        }
    }
}
