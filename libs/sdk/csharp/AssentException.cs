using System.Text.Json;
using System.Text.Json.Serialization;

namespace Assent;

/// <summary>A call that was refused, or that no answer came to. The message holds code, message and hint.</summary>
public sealed class AssentException : Exception
{
    /// <summary>
    /// In lower snake case: a code of the service, or <c>no_connection</c> or <c>timed_out</c>, where a write may have
    /// happened or not and a repeat with its key is safe; <c>unexpected_answer</c>; <c>http_502</c> and the like where a proxy answered.
    /// </summary>
    public string Code { get; }

    /// <summary>How to fix it; empty if no service answered.</summary>
    public string Hint { get; } = "";

    /// <summary>The places in the request that are wrong.</summary>
    public IReadOnlyList<Issue> Issues { get; } = [];

    /// <summary>Names the request in the logs of the service; null if no service answered.</summary>
    public string? RequestId { get; }

    /// <summary>Page that explains the code; null if no service answered.</summary>
    public string? DocUrl { get; }

    /// <summary>HTTP status; 0 if no service answered.</summary>
    public int Status { get; }

    /// <summary>How long the service asks to wait before the next try; zero if it does not say.</summary>
    public TimeSpan RetryAfter { get; }

    internal AssentException(string code, string message, Exception? inner)
        : base($"{code}: {message}", inner) => Code = code;

    private AssentException(Problem problem, int status, TimeSpan retryAfter)
        : base($"{problem.Code}: {problem.Message} {problem.Hint}".TrimEnd())
    {
        Code = problem.Code!;
        Hint = problem.Hint ?? "";
        Issues = problem.Issues ?? [];
        RequestId = problem.RequestId;
        DocUrl = problem.DocUrl;
        Status = status;
        RetryAfter = retryAfter;
    }

    /// <summary>Called by the generated part for an answer that it cannot read.</summary>
    internal AssentException(string message, int status, string? response, IReadOnlyDictionary<string, IEnumerable<string>> headers, Exception? inner)
        : this("unexpected_answer", message, inner)
    {
        _ = (response, headers);
        Status = status;
    }

    /// <summary>Whether the same request can soon have another answer.</summary>
    internal bool MayPass => Status is 0 or 429 or >= 500 || Code == "idempotency_in_progress";

    internal static async Task<AssentException> Of(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        var status = (int)response.StatusCode;
        Problem? problem = null;
        try
        {
            problem = JsonSerializer.Deserialize<Problem>(await response.Content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false), AssentClient.Json);
        }
        catch (JsonException)
        {
            // A proxy in between answered.
        }
        if (problem?.Code is null)
            problem = new Problem { Code = $"http_{status}", Message = "The answer is not of the service." };
        return new AssentException(problem, status, Wait(response));
    }

    /// <summary>Seconds, or a date (RFC 9110 section 10.2.3).</summary>
    private static TimeSpan Wait(HttpResponseMessage response)
    {
        var after = response.Headers.RetryAfter;
        var wait = after?.Delta ?? after?.Date - DateTimeOffset.UtcNow ?? TimeSpan.Zero;
        return wait > TimeSpan.Zero ? wait : TimeSpan.Zero;
    }

    private sealed class Problem
    {
        [JsonPropertyName("code")] public string? Code { get; init; }
        [JsonPropertyName("message")] public string? Message { get; init; }
        [JsonPropertyName("hint")] public string? Hint { get; init; }
        [JsonPropertyName("issues")] public List<Issue>? Issues { get; init; }
        [JsonPropertyName("requestId")] public string? RequestId { get; init; }
        [JsonPropertyName("docUrl")] public string? DocUrl { get; init; }
    }
}
