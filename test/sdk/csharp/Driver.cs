// What test/acceptance/sdk.spec.ts drives: each line of the input is a call, each line of the output its answer.
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Assent;

AssentClient? client = null;
var web = new JsonSerializerOptions(JsonSerializerDefaults.Web);
while (Console.ReadLine() is { } line)
{
    var asked = JsonNode.Parse(line)!;
    JsonObject said;
    try
    {
        said = new() { ["answer"] = JsonSerializer.SerializeToNode(await Call((string)asked["call"]!, asked["with"]!), web) };
    }
    catch (AssentException error)
    {
        said = new() { ["error"] = new JsonObject { ["code"] = error.Code, ["status"] = error.Status, ["hint"] = error.Hint, ["requestId"] = error.RequestId, ["paths"] = new JsonArray([.. error.Issues.Select(issue => (JsonNode)issue.Path!)]) } };
    }
    catch (ArgumentException error)
    {
        said = new() { ["error"] = new JsonObject { ["code"] = "argument", ["hint"] = error.Message } };
    }
    Console.WriteLine(said.ToJsonString());
}

async Task<object?> Call(string call, JsonNode with)
{
    var key = (string?)with["idempotencyKey"];
    switch (call)
    {
        case "open":
            client = new AssentClient(new AssentOptions
            {
                BaseUrl = new Uri(Text("baseUrl")),
                ApiKey = Text("apiKey"),
                Timeout = TimeSpan.FromMilliseconds((int)with["timeoutMs"]!),
                IdentityToken = with["identityToken"] is { } token ? _ => ValueTask.FromResult<string?>((string?)token) : null,
            });
            return null;
        case "guide":
            var said = new StringWriter();
            var console = Console.Out;
            Console.SetOut(said);
            try
            {
                await Guide.Run();
            }
            finally
            {
                Console.SetOut(console);
            }
            return said.ToString();
        case "recordConsent":
            return await client!.RecordConsentAsync(new() { Subject = Text("subject"), Purpose = Text("purpose"), Decision = Said(with) }, key);
        case "recordConsentBatch":
            var items = with["records"]!.AsArray().Select(one => new BatchItem { Subject = (string)one!["subject"]!, Purpose = (string)one["purpose"]!, Decision = Said(one) });
            return await client!.RecordConsentBatchAsync(new() { Records = [.. items], Mode = RecordBatchMode.PARTIAL }, key);
        case "getConsentState":
            return await client!.GetConsentStateAsync(Text("subject"), purpose: [Text("purpose")]);
        case "getConsentHistory":
            return await client!.GetConsentHistoryAsync(Text("subject"), limit: (int)with["limit"]!, cursor: (string?)with["cursor"]);
        case "setPreferences":
            var values = with["values"]!.AsArray().Select(one => new PreferenceValue { Field = (string)one!["field"]!, Value = (bool)one["value"]! });
            return await client!.SetPreferencesAsync(new() { Subject = Text("subject"), Channel = (string?)with["channel"], Values = [.. values] }, key);
        case "getPreferences":
            return await client!.GetPreferencesAsync(Text("subject"));
        case "createSubject":
            return await client!.CreateSubjectAsync(new() { Identifiers = [new() { Kind = Text("kind"), Value = Text("value") }] }, key);
        case "getReceipt":
            return await client!.GetReceiptAsync(Text("id"));
        case "signIdentityToken":
            var lifetime = with["expiresInSeconds"] is { } seconds ? TimeSpan.FromSeconds((int)seconds) : (TimeSpan?)null;
            return IdentityToken.Sign(Text("subject"), Text("secretKey"), Text("site"), lifetime, with["scope"]?.AsArray().Select(one => (string)one!).ToList());
        case "verifyReceipt":
            var keys = with["keys"]?.Deserialize<KeySet>(web);
            return (keys is null ? await client!.VerifyReceiptAsync(Text("receipt")) : Receipts.Verify(Text("receipt"), keys)).Verdict.ToString();
        case "verifyWebhook":
            return Webhook(with);
        default:
            throw new InvalidOperationException(call);
    }

    string Text(string name) => (string)with[name]!;
}

static Decision Said(JsonNode record) => Enum.Parse<Decision>((string)record["decision"]!);

static object Webhook(JsonNode with)
{
    var secrets = with["secrets"]!.AsArray().Select(one => (string)one!).ToList();
    var tolerance = with["toleranceSeconds"] is { } seconds ? TimeSpan.FromSeconds((int)seconds) : (TimeSpan?)null;
    var body = Encoding.UTF8.GetBytes((string)with["rawBody"]!);
    var header = (string?)with["header"];
    var verified = Webhooks.Verify(header, body, secrets[0], secrets.ElementAtOrDefault(1), tolerance);
    try
    {
        var taken = Webhooks.ConstructEvent(header, body, secrets[0], secrets.ElementAtOrDefault(1), tolerance);
        return new { verified, outcome = "taken", taken.Id };
    }
    catch (WebhookSignatureException error)
    {
        return new { verified, outcome = error.Fault.ToString().ToLowerInvariant() };
    }
}
