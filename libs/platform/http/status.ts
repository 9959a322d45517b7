/**
 * The one place with status numbers: every error code of the interface and how HTTP says it.
 * What each code means and how to fix it stands in `error-catalogue.ts`.
 */
export const STATUS = {
  malformed_json: 400,
  idempotency_key_invalid: 400,
  subject_ref_invalid: 400,
  api_key_missing: 401,
  api_key_invalid: 401,
  api_key_expired: 401,
  identity_token_invalid: 401,
  identity_token_expired: 401,
  secret_key_required: 403,
  public_key_required: 403,
  scope_missing: 403,
  origin_not_allowed: 403,
  identity_token_required: 403,
  identity_token_subject_mismatch: 403,
  environment_mismatch: 403,
  route_not_found: 404,
  purpose_not_found: 404,
  receipt_not_found: 404,
  data_request_not_found: 404,
  token_invalid: 404,
  subject_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  idempotency_in_progress: 409,
  identifier_conflict: 409,
  state_conflict: 409,
  merge_conflict: 409,
  token_expired: 410,
  subject_erased: 410,
  body_too_large: 413,
  batch_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  idempotency_key_reused: 422,
  purpose_unknown: 422,
  purpose_retired: 422,
  purpose_version_unknown: 422,
  decision_not_allowed: 422,
  timestamp_in_future: 422,
  identifier_kind_unknown: 422,
  field_unknown: 422,
  field_type_mismatch: 422,
  redirect_url_not_allowed: 422,
  banner_not_compliant: 422,
  rate_limited: 429,
  internal_error: 500,
  dependency_unavailable: 503,
  log_not_accepted: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(STATUS, code);
export const statusOf = (code: ErrorCode): number => STATUS[code];
