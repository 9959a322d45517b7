import { STATUS, type ErrorCode } from './status.js';

/** The documentation of a code; also the text of an answer where the refusal has no more concrete one. */
export interface ErrorEntry {
  code: ErrorCode;
  status: number;
  /** One sentence, shown as `message`. */
  title: string;
  meaning: string;
  /** How to fix it, shown as `hint`. */
  fix: string;
  /** Whether the same request can succeed later, unchanged. */
  retryHelps: boolean;
}

type Text = [title: string, meaning: string, fix: string, retryHelps?: true];

const TEXTS: Record<ErrorCode, Text> = {
  malformed_json: [
    'The body is not valid JSON.',
    'The body is empty, is not UTF-8 JSON, names a key twice, is nested deeper than 10 levels, or did not arrive in time. Nothing was recorded.',
    'Send one JSON object in UTF-8; the message says at which position reading stopped.',
  ],
  idempotency_key_invalid: [
    'The Idempotency-Key is not usable.',
    'The header Idempotency-Key must be 1 to 255 visible ASCII characters, raw or in double quotes.',
    'Send a fresh UUID, for example Idempotency-Key: 0d5f8b9e-6f0a-4f3c-9a52-7a3f0c1d2e4b.',
  ],
  subject_ref_invalid: [
    'The subject reference cannot be read.',
    'A subject is named <kind>:<value>, percent-encoded as one path segment where it stands in a path.',
    'Send for example email%3Aada%40example.org in a path, or "email:ada@example.org" in a body.',
  ],
  api_key_missing: [
    'No API key was sent.',
    'Every path under /v1/ needs an API key.',
    'Send the header Authorization: Bearer <API key>.',
  ],
  api_key_invalid: [
    'The API key is not valid.',
    'The key is mistyped, was revoked, or belongs to another installation.',
    'Copy the key again, or issue a new one with: assent keys issue.',
  ],
  api_key_expired: [
    'The API key has expired.',
    'The key reached its expiry date, or the overlap after its rotation is over.',
    'Use the key that replaced it, or issue a new one.',
  ],
  identity_token_invalid: [
    'The identity token is not valid.',
    'The token in Consent-Identity was not signed with a live secret key of this site and environment, or its header or claims are not what they must be. Where the signature is right, issues name the claims.',
    'Sign a new token on your server with a secret key of the same site and environment; the guide for API consumers shows how.',
  ],
  identity_token_expired: [
    'The identity token has expired.',
    'Its exp lies in the past, the leeway of 60 seconds included.',
    'Fetch a new token from your server and send the request again.',
  ],
  secret_key_required: [
    'This operation needs a secret key.',
    'A public key cannot be used for this operation; a secret key cannot be used from a browser unless the site allows it.',
    'Call it from your server with an sk_ key.',
  ],
  public_key_required: [
    'This operation needs a public key.',
    'The operation is meant for browsers and apps, which hold a pk_ key.',
    'Send a pk_ key of the same site and environment.',
  ],
  scope_missing: [
    'The key or the identity token lacks the scope for this operation.',
    'Keys and identity tokens can be restricted to scopes; the scope of each operation stands in its documentation.',
    'Use a key or a token with that scope.',
  ],
  role_missing: [
    'No role of this operator allows this here.',
    'A role of an operator counts for a site and an environment. The hint names the roles that could; the documentation of the operation lists them as `x-roles`, and `GET /admin/v1/roles` lists what each of them may do.',
    'Ask an administrator for one of the roles in the hint: assent operators roles <id> --role <role>@<site>/<env>.',
  ],
  sign_in_refused: [
    'Signing in at the identity provider did not lead here.',
    'The answer of the provider proves who signed in only in the browser that began, once, within ten minutes. A person also needs a group or another claim to which the file in ASSENT_OIDC_ROLES gives a role.',
    'Begin again at the sign-in page. If it is refused again, ask an administrator for a role.',
  ],
  origin_not_allowed: [
    'This origin may not use the key.',
    'A public key works only from the origins registered for the site.',
    'Allow the exact origin (scheme, host and port): assent sites origins add <origin> --site <site> --env <env>.',
  ],
  identity_token_required: [
    'A public key does not reach this subject by itself.',
    'A public key reaches anonymous subjects freely: a `visitor_id` or `device_id` whose value holds at least 128 random bits, in one of these forms: a UUID, 32 or more hex digits, 22 or more base64url characters (capital and small letters and digits mixed), or two ULIDs. Any other subject has to be vouched for. The answer is the same whether or not the subject exists.',
    'Sign an identity token for the person on your server and send it in the header Consent-Identity; or send the request from your server with a secret key; or name an anonymous subject with a random value that cannot be guessed.',
  ],
  identity_token_subject_mismatch: [
    'The identity token is for another subject.',
    'The subject of the token differs from the one in the path, query or body.',
    'Send the token of the person whom the request names.',
  ],
  environment_mismatch: [
    'The key belongs to another environment.',
    'Test and live never see each other: a thing made with a test key can be used only with a test key.',
    'Use a key of the environment in which it was made.',
  ],
  route_not_found: [
    'There is no such path.',
    'No operation has this path.',
    'Compare the path with /docs; a subject reference must be percent-encoded as one segment.',
  ],
  purpose_not_found: [
    'There is no such purpose.',
    'The catalogue of this site and environment has no published purpose with this key.',
    'List the purposes with GET /v1/purposes.',
  ],
  catalogue_version_not_found: [
    'The catalogue has no such version.',
    'Versions of a catalogue are numbered from 1; each is what was published together.',
    'List them with GET /admin/v1/sites/{site}/{env}/catalogue/versions.',
  ],
  notice_not_found: [
    'There is no such text.',
    'Nothing with that hash was ever published in this site and environment. Texts that were published are served for ever.',
    'Send a contentHash as a record, a purpose, a banner or the preference template names it: sha256: and 64 hex digits.',
  ],
  receipt_not_found: [
    'There is no such receipt.',
    'No receipt with this id can be seen with this key.',
    'Use the receiptId from the answer to the write, with a key of the same site and environment.',
  ],
  ledger_not_found: [
    'There is no such open ledger.',
    'Either there is no such site, or it has not opened its ledger to the public.',
    'Use /v1/ledger with a secret key of the site, or ask the operator of the site to open the ledger (assent sites register --ledger open).',
  ],
  tile_not_found: [
    'There is no such tile.',
    'The tree has no such tile, or not so many hashes in it yet; or this is no path of a tile.',
    'Fetch the checkpoint and compute from its size which tiles there are: floor(size / 256^level) hashes in each level, 256 in a tile.',
  ],
  key_not_found: [
    'There is no such key.',
    'The site has no key with that id, or the installation no signing key.',
    'List the keys of the site, or the signing keys, and send one of their ids.',
  ],
  operator_token_not_found: [
    'There is no such operator token.',
    'No token with that id was ever issued here.',
    'List the tokens and send one of their ids.',
  ],
  webhook_endpoint_not_found: [
    'There is no such webhook endpoint.',
    'The site and environment of the key has no endpoint with that id; it may have been deleted.',
    'List the endpoints with GET /v1/webhook-endpoints and send one of their ids.',
  ],
  webhook_delivery_not_found: [
    'There is no such delivery.',
    'The site and environment of the key has no delivery with that id. Deliveries are forgotten 30 days after they ended.',
    'List the deliveries of an endpoint and send one of their ids; older events are sent again by a replay.',
  ],
  data_request_not_found: [
    'There is no such data request.',
    'No data request with this id can be seen with this key.',
    'Use the id from the answer that created it, with a key of the same site and environment.',
  ],
  audit_bundle_not_found: [
    'There is no such bundle.',
    'This site and environment has no audit bundle of that id: it is another’s, or was deleted seven days after it was made.',
    'List the bundles of the site, or ask for another one.',
  ],
  vendor_list_not_found: [
    'This version of the vendor list was never in use here.',
    'Lists are kept from the moment on at which this installation used them; others it has never seen.',
    'Leave version out for the list in use; a TC string names the version that it was made with.',
  ],
  token_invalid: [
    'The token is not known.',
    'The token was never issued, was superseded by a newer one, or was cancelled.',
    'Ask for a new token; only the newest for the same subject and field works.',
  ],
  subject_not_found: [
    'There is no such subject.',
    'The operation needs a subject that already exists.',
    'Create it with POST /v1/subjects, or record a first decision for it.',
  ],
  method_not_allowed: [
    'The path exists, but not with this method.',
    'The header Allow lists the methods that the path has.',
    'Use one of the methods in Allow.',
  ],
  not_acceptable: [
    'The Accept header rules out every form of the answer.',
    'Answers are JSON; the Accept header of the request excludes it.',
    'Send Accept: application/json, or leave the header out.',
  ],
  idempotency_in_progress: [
    'The first request with this Idempotency-Key is still running.',
    'Two requests with one key arrived at nearly the same time; one of them is still at work.',
    'Wait for the time in Retry-After and send the same request again.',
    true,
  ],
  identifier_conflict: [
    'An identifier belongs to another subject.',
    'The identifiers name several subjects, or one that belongs to another subject.',
    'Merge the subjects with POST /v1/subjects/merge, or correct the identifier.',
  ],
  state_conflict: [
    'The current state does not allow this, or it changed meanwhile.',
    'The operation does not fit the state the thing is in, or other writes kept changing it while this one was tried.',
    'Read the current state, then decide again; after simultaneous writes the same request can succeed.',
    true,
  ],
  merge_conflict: [
    'The subjects cannot be merged.',
    'The subjects are already one, or a merge in the other direction is under way.',
    'Read both subjects; a subject in state MERGED names its survivor in mergedInto.',
  ],
  token_expired: ['The token has expired.', 'The link was followed too late.', 'Request a new link or token.'],
  token_used: [
    'The token was used before.',
    'The link works once, and it was used already.',
    'Ask for a new link; where you did not use the first one, say so to its sender.',
  ],
  subject_erased: [
    'The subject was erased.',
    'Its personal data were destroyed on request; its id stays as a marker.',
    'Stop using this id; a reference such as an e-mail address starts a new subject.',
  ],
  body_too_large: [
    'The body is too large.',
    'A body may have 64 kB (65,536 bytes) unless the operation says otherwise.',
    'Send less in one request; use POST /v1/consent/batch for many records.',
  ],
  batch_too_large: [
    'The batch is too large.',
    'A batch may have 500 records and 2 MB (2,097,152 bytes).',
    'Split the batch and send the parts one after the other.',
  ],
  unsupported_media_type: [
    'The body has a media type that is not read here.',
    'Bodies are application/json in UTF-8, without a content coding such as gzip.',
    'Send Content-Type: application/json and no Content-Encoding.',
  ],
  validation_failed: [
    'The request does not fit its declaration.',
    'A field is missing, unknown, of the wrong type or out of its limits. Each fault is listed in issues with its path.',
    'Correct the places listed in issues; every field and its limits are in /docs.',
  ],
  idempotency_key_reused: [
    'This Idempotency-Key was used for another request.',
    'A key stands for one request for ever: the same method, path and body.',
    'Use a new key for a new request; use the same key only to repeat one.',
  ],
  purpose_unknown: [
    'The purpose does not exist.',
    'A decision can be recorded only on a published purpose of this site and environment.',
    'List the purposes with GET /v1/purposes and send the key of one of them.',
  ],
  purpose_retired: [
    'The purpose is retired.',
    'No new grant is taken for a retired purpose; a withdrawal always is.',
    'Ask for consent to the purpose that replaced it.',
  ],
  purpose_version_unknown: [
    'The purpose has no such version.',
    'The version in purposeVersion was never published.',
    'List the versions with GET /v1/purposes/{key}/versions, or leave purposeVersion out for the current one.',
  ],
  decision_not_allowed: [
    'The decision does not fit the purpose.',
    'OBJECTED needs a legitimate interest or an opt-out model; ACKNOWLEDGED needs NOTICE_ONLY.',
    'Send a decision that the consent model of the purpose allows.',
  ],
  timestamp_in_future: [
    'The time lies in the future.',
    'A claimed time may be at most 5 minutes ahead of the clock of the service.',
    'Leave the field out to have the server set it, or correct the clock.',
  ],
  identifier_kind_unknown: [
    'That kind of identifier does not exist.',
    'The kind before the colon is neither built in nor registered for the site.',
    'Use email, phone, user_id, external_id, visitor_id, device_id, idfa, idfv, gaid, a registered custom.<slug>, or subject.',
  ],
  field_unknown: [
    'The preference template has no such field.',
    'A preference is named by a template field, by a topic together with a channel, or by its full path.',
    'Read the fields with GET /v1/preference-template.',
  ],
  field_type_mismatch: [
    'The value does not fit the type of the field.',
    'The template declares a kind for each field; a TOGGLE takes true or false.',
    'Send a value of the kind that GET /v1/preference-template names.',
  ],
  redirect_url_not_allowed: [
    'The redirect URL is not allowed.',
    'It must be https, on a registered domain of the site, without user information and on the default port.',
    'Register the domain for the site, or use a URL on one that is.',
  ],
  webhook_url_not_allowed: [
    'Webhooks may not be sent to that address.',
    'It must be https at port 443 or 8443, without user information, and lead to a public address: none of a private network, of the machine itself or of the service. The operator can allow networks and ports.',
    'Send the address of a public receiver, or let the operator allow its network with ASSENT_WEBHOOK_ALLOW.',
  ],
  banner_not_compliant: [
    'The banner does not comply with the policy.',
    'Where the policy is opt-in, the first layer must offer a refusal with equal emphasis.',
    'Add REJECT_ALL to the first layer with the same emphasis as ACCEPT_ALL.',
  ],
  presentation_changed: [
    'Something else would be shown now.',
    'The query names by its hash what is on the screen. Since that was made, the texts, the purposes, the looks or the law of the place changed, or the caller names another place or language.',
    'Ask again without contentHash, and show what is answered in its place.',
  ],
  catalogue_owned_by_console: [
    'The catalogue of this site and environment is edited in the console.',
    'Its owner is CONSOLE: drafts are published, and files are not applied, because they would undo what was published from drafts.',
    'Publish a draft. To edit in files again, bring what is published into your folder (assent catalogue export <folder> --force), then apply it with --take-over (`takeOver`).',
  ],
  catalogue_owned_by_files: [
    'The catalogue of this site and environment is edited in files.',
    'Its owner is FILES. A draft can be written, simulated and previewed, and not published: the next apply of the files would undo it.',
    'Take the files of the draft into your folder and apply it, or let an administrator make CONSOLE the owner: assent catalogue settings --owner console.',
  ],
  approval_missing: [
    'Another operator has to publish this.',
    'Drafts of this site and environment need four eyes: another operator than the last one who edited a draft publishes it, and files cannot take the catalogue over.',
    'Ask an operator who may publish and did not edit the draft last.',
  ],
  presentation_token_invalid: [
    'The presentation token is not valid.',
    'It was not signed by this service, or it was changed since, be it by one character.',
    'Send presentationToken as GET /v1/banner answered it, to the letter; or leave it out.',
  ],
  presentation_token_foreign: [
    'The presentation token is of another site or environment.',
    'What was shown on one site, or in test, proves nothing for another one, or for live.',
    'Ask for the banner with a key of the same site and environment, and send the token that comes with it.',
  ],
  presentation_token_expired: [
    'The presentation token has expired.',
    'It counts for choices that are made within a day after the banner was shown. What decides is givenAt, where it is sent.',
    'Show the banner anew, and send the token that comes with it; or leave the token out.',
  ],
  presentation_mismatch: [
    'Something else was shown.',
    'The choice names a purpose, a version, a banner or a moment to which the presentation token does not testify; issues say which.',
    'Send with each choice the token of the banner that it was made on; leave the token out where the choice was made elsewhere.',
  ],
  consent_string_invalid: [
    'This is no string of that framework.',
    'The text is cut off, was changed, is of another framework or version, or claims what it does not hold; the issue names the field that cannot be read. Nothing behind that field was read.',
    'Send the string whole, as it was handed out, percent-encoded once. TC strings begin with C, GPP strings with D.',
  ],
  rate_limited: [
    'Too many requests.',
    'The limit of the key, or of the key and address, is used up for the moment: RateLimit and RateLimit-Policy say how much is left. Or a public key has added as many records to one subject as it may in a day.',
    'Wait for the time in Retry-After, and spread requests. A batch counts as many units as it has records.',
    true,
  ],
  internal_error: [
    'Something went wrong on our side.',
    'An unexpected error; the service logged it with the request id.',
    'Repeat the request with the same Idempotency-Key; if it persists, report the requestId.',
    true,
  ],
  dependency_unavailable: [
    'A part of the service cannot be reached at the moment.',
    'The database, the event log or another dependency did not answer in time, or more was sent to be written than can be answered in time. A write that was answered with this can be repeated with the same Idempotency-Key: it takes effect once.',
    'Wait for the time in Retry-After and send the same request again.',
    true,
  ],
  log_not_accepted: [
    'The event log is not the one that the service knows; nothing was recorded.',
    'The event log was restored from an older copy, or is another one. Until an operator has said which log is right nothing is written, and nothing is read from the log; what read models hold is still answered.',
    'Repeat the request later with the same Idempotency-Key. Operators: assent log status says what differs; bring the right log back, or accept this one with assent log accept.',
    true,
  ],
  log_incomplete: [
    'The event log lost a part of the stream that this is about; nothing was recorded.',
    'The log holds events of this stream, and not those before them: $maxCount, $maxAge or $tb was set for it on the EventStoreDB. What is left would count a withdrawn consent as granted, so the service neither shows it nor decides on it. Erasing the subject works, and so do all other streams.',
    'Operators: assent doctor names such streams; take the rule away before the next scavenge, or restore the log from a copy.',
  ],
};

export const errorEntry = (code: ErrorCode): ErrorEntry => {
  const [title, meaning, fix, retryHelps = false] = TEXTS[code];
  return { code, status: STATUS[code], title, meaning, fix, retryHelps };
};

/** Every code, in order of status; the source of `/docs/errors` and of the error tables in the OpenAPI document. */
export const errorCatalogue: readonly ErrorEntry[] = Object.keys(TEXTS).map((code) => errorEntry(code as ErrorCode));
