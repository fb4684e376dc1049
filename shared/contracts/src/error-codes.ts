import { z } from 'zod';

interface ErrorEntry {
  /** HTTP status of the answer that carries the code. */
  status: number;
  /** Its meaning in one sentence; also the default public message. */
  meaning: string;
  /** Advice to the caller. */
  advice: string;
}

/**
 * Every error code of the API. Existing codes are stable; new ones may be added. The documentation and the OpenAPI
 * document are generated from this table.
 */
export const errorTable = {
  invalid_request: {
    status: 400,
    meaning: 'The request could not be read.',
    advice: 'Send a JSON object within the size and depth limits, with content-type application/json.',
  },
  invalid_data: {
    status: 400,
    meaning: 'The data does not fit the template or the entity.',
    advice:
      'See `details` for each place; `request_format` of a version lists what it reads, an entity its fields.',
  },
  compilation_failed: {
    status: 400,
    meaning: 'The blocks do not compile.',
    advice: 'Fix every problem listed in `details`; POST /v1/templates/validate checks without saving.',
  },
  no_blocks_to_send: {
    status: 400,
    meaning: 'Nothing is left to send: every block is empty.',
    advice:
      'Check the data against the template; the warnings of a compile list the dropped parts and the reasons.',
  },
  invalid_destination: {
    status: 400,
    meaning: 'The chat platform does not let the app post there.',
    advice: 'Check the channel id, and invite the app to the channel.',
  },
  destination_address_refused: {
    status: 400,
    meaning: 'The address of the destination is not allowed.',
    advice:
      'Use an address that resolves to public addresses only; the operator may allow others with STANZA_DESTINATION_ALLOW and ports with STANZA_DESTINATION_PORTS.',
  },
  invalid_search_query: {
    status: 400,
    meaning: 'The search query has fewer than two letters or digits.',
    advice: 'Search with two letters or more.',
  },
  unauthenticated: {
    status: 401,
    meaning: 'No credentials were given.',
    advice: 'Send `Authorization: Bearer <API key>`, or a session token in its place.',
  },
  invalid_token: {
    status: 401,
    meaning: 'The API key or session token is not valid.',
    advice:
      'Check for typing errors; create a new key if it was revoked or has expired. For a session token the message names the problem: sign in again.',
  },
  invalid_signature: {
    status: 401,
    meaning: 'The signature is missing, too old, or not made with the shared secret.',
    advice: 'Sign the exact bytes of the body, with the current time; compare the signing secrets.',
  },
  insufficient_credits: {
    status: 402,
    meaning: 'The organization does not have enough credits.',
    advice: 'See GET /v1/credits/{organization_id}; wait for the next grant or ask for more.',
  },
  overage_limit_exceeded: {
    status: 402,
    meaning: 'The credits and the overage of the tier are used up.',
    advice: 'Wait for the next monthly grant or change the tier.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The key or session lacks the scope that the operation requires.',
    advice: 'Use a key with the scope in `required_scopes`, or a session whose role allows it.',
  },
  access_denied: {
    status: 403,
    meaning: 'The role of the caller does not allow this.',
    advice: 'Ask an admin or the owner of the organization.',
  },
  activation_refused: {
    status: 403,
    meaning: 'The policy of the organization does not let this caller make a version live.',
    advice:
      'Propose the version with POST /v1/templates/{id}/proposals; a person whom the policy lets accepts it.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such resource.',
    advice: 'Check the id and the environment of the key.',
  },
  template_not_found: {
    status: 404,
    meaning: 'There is no such template in this organization and environment.',
    advice:
      'List them with GET /v1/templates, and check that the API key belongs to the environment of the template.',
  },
  partial_not_found: {
    status: 404,
    meaning: 'There is no such partial in this organization and environment.',
    advice:
      'List them with GET /v1/partials, and check that the key belongs to the environment of the partial.',
  },
  version_not_found: {
    status: 404,
    meaning: 'There is no such version of the template.',
    advice: 'List the versions with GET /v1/templates/{id}/versions; activate one to make it live.',
  },
  modal_not_found: {
    status: 404,
    meaning: 'The action names a modal that this environment does not have.',
    advice:
      'Seen on the actions of an interaction. Name a modal of GET /v1/modals in a new version of the template; where the id comes from data, send the id of one.',
  },
  organization_not_found: {
    status: 404,
    meaning: 'There is no such organization for this key.',
    advice: 'Use the organization id that GET /v1/auth/validate shows.',
  },
  entity_not_found: { status: 404, meaning: 'There is no such entity.', advice: 'List the entities.' },
  field_not_found: {
    status: 404,
    meaning: 'The entity has no such field.',
    advice: 'Read the entity again.',
  },
  user_not_found: { status: 404, meaning: 'The organization has no such user.', advice: 'List the members.' },
  profile_not_found: {
    status: 404,
    meaning: 'The session belongs to no user profile.',
    advice: 'Accept the invitation of an organization first.',
  },
  credits_not_found: {
    status: 404,
    meaning: 'The organization has no credit account.',
    advice: 'Ask the operator: an account is created with the organization.',
  },
  chat_user_not_found: {
    status: 404,
    meaning: 'The chat platform knows no such user.',
    advice: 'Check the e-mail address or the chat id of the recipient.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method.',
    advice: 'Use a method of the header `Allow`.',
  },
  idempotency_conflict: {
    status: 409,
    meaning: 'The idempotency key was used for another request.',
    advice: 'Use a new key for a new request.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'The first request with this idempotency key is still running, or its outcome is unknown.',
    advice: 'Try again with the same key later; if the error persists, ask the operator to settle it.',
  },
  already_exists: { status: 409, meaning: 'It exists already.', advice: 'Read the existing one.' },
  invitation_pending: {
    status: 409,
    meaning: 'An invitation for this address is open already.',
    advice: 'Revoke it first to send another.',
  },
  invalid_state: {
    status: 409,
    meaning: 'The resource is in a state that does not allow this.',
    advice: 'Read the resource; the message names the state.',
  },
  current_version_changed: {
    status: 409,
    meaning: 'Another version was made live in the meantime.',
    advice: 'Read the template again and decide on the version that is live now.',
  },
  activation_breaks: {
    status: 409,
    meaning: 'Stored data of the template breaks with this version.',
    advice:
      'See POST /v1/templates/{id}/impact for each piece of data; activate with `accept_breaks: true` to go on all the same.',
  },
  draft_changed: {
    status: 409,
    meaning: 'The draft is at another revision than the expected one.',
    advice:
      'Read the draft, show both to the author, and write with the revision that it has now, null where there is none.',
  },
  message_changed: {
    status: 409,
    meaning: 'The message is at another revision than the expected one.',
    advice: 'Read the message, decide on what it shows now, and send the revision that the error names.',
  },
  promotion_unmapped: {
    status: 409,
    meaning: 'Templates name modals or destinations that the other environment does not have.',
    advice:
      'Create each one in the environment to promote to, with the key that the details name; then promote again.',
  },
  chat_not_connected: {
    status: 409,
    meaning: 'The environment has no working connection to the chat platform.',
    advice: 'Connect the workspace, or connect it again if its token was revoked.',
  },
  changed_meanwhile: {
    status: 409,
    meaning: 'The resource has changed since it was read.',
    advice:
      'Read it again, decide on what it is now, and send its new `ETag` as `If-Match`, or its `updated_at`.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The content type of the body is not JSON, or its coding is not read.',
    advice:
      'Send the body as JSON with the header `Content-Type: application/json`, as it is or in one of the codings gzip, deflate, br and zstd.',
  },
  validation_failed: {
    status: 422,
    meaning: 'The request does not match the schema of the operation.',
    advice: 'Fix each of `error.issues`.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests.',
    advice: 'Wait for the seconds of `Retry-After`.',
  },
  too_many_streams: {
    status: 429,
    meaning: 'The organization has as many streams open at this gateway as it may.',
    advice: 'Close a stream that you no longer read, or read one for several of your parts.',
  },
  tier_limit: {
    status: 429,
    meaning: "The tier's events of this day are used up, or as much is stored as the tier allows.",
    advice:
      'Wait until midnight UTC (`Retry-After`) for more events; delete what is no longer needed; or change the tier. `GET /v1/usage/limits` shows each limit.',
  },
  internal_error: {
    status: 500,
    meaning: 'An unexpected error occurred.',
    advice: 'Try again; if the error persists, give the operator the request id.',
  },
  chat_token_decrypt_failed: {
    status: 500,
    meaning: 'The token of the chat connection cannot be decrypted.',
    advice: 'Connect the workspace again; the operator should check the encryption keys.',
  },
  credit_deduction_failed: {
    status: 500,
    meaning: 'The credit could not be charged, so the result was withheld.',
    advice: 'Try again; nothing was charged.',
  },
  misconfigured: {
    status: 500,
    meaning: 'A setting of the service is missing for this operation.',
    advice: 'Give the operator the request id.',
  },
  chat_api_error: {
    status: 502,
    meaning: 'The chat platform refused the call.',
    advice: 'See `error_details` for the name of its error.',
  },
  chat_dm_failed: {
    status: 502,
    meaning: 'The direct conversation with the recipient could not be opened.',
    advice: 'See `error_details` for the name of the platform error.',
  },
  delivery_outcome_unknown: {
    status: 502,
    meaning:
      'The outcome is unknown: the message may have been posted or changed, or the payload delivered to its destination.',
    advice: 'Check the records named in `details` before you send it again; nothing was charged.',
  },
  destination_failed: {
    status: 502,
    meaning: 'The destination was unreachable, or did not accept the payload.',
    advice: 'See the attempts of the delivery; retry it when the destination works again.',
  },
  maintenance: {
    status: 503,
    meaning: 'The service is under maintenance.',
    advice: 'Try again after `Retry-After` seconds.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'A part of the service is unavailable at the moment.',
    advice: 'Try again after `Retry-After` seconds; the message says whether the change may have happened.',
  },
  destination_test_host_not_enabled: {
    status: 503,
    meaning: 'The host of the destination is not enabled for tests.',
    advice: 'Ask the operator to add the host to STANZA_DESTINATION_TEST_HOSTS.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** A code of the error registry. */
export type ErrorCode = keyof typeof errorTable;

/** All codes, in the order of the registry. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errorTable).filter(isErrorCode);

/** Where the site of a gateway explains a code. */
export const errorDocs = (code: ErrorCode): string => `/docs/errors#${code}`;

/** True for a name that the registry holds. */
export function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(errorTable, name);
}

/** Schema of an error code. */
export const errorCodeSchema = z
  .custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value), 'is not an error code')
  .meta({ id: 'ErrorCode', json: { type: 'string', enum: errorCodes } });
