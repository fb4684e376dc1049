import type { RateName } from '@stanza/contracts';
import {
  arrayOf,
  bigint,
  boolean,
  bytes,
  check,
  integer,
  nullable,
  ofTenant,
  type RowOf,
  smallint,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

/**
 * A request with an `Idempotency-Key`. Without `completed_at` it is running, or its process died and it stays blocked;
 * with `released_at` an operator lets the next request with the key run again, under the same operation id.
 */
export const idempotencyRecords = table('idempotency_records', {
  columns: {
    ...tenant,
    /** Id of the operation; the same key is independent for each. */
    operation: text(),
    key: text(),
    /** The operation id that makes messages and charges unique. */
    operation_id: uuid(),
    /** SHA-256 of the request. */
    fingerprint: bytes(),
    /** Of the first request, whose errors carry it in their body. */
    request_id: text(),
    actor_id: text(),
    claimed_at: timestamp(),
    released_at: nullable(timestamp()),
    completed_at: nullable(timestamp()),
    /** True when an operator gave the outcome. */
    settled: withDefault(boolean(), false),
    status: nullable(smallint()),
    content_type: nullable(text()),
    /** The answer in its original bytes. */
    body: nullable(bytes()),
    /** When the key becomes free again. */
    expires_at: nullable(timestamp()),
  },
  // The previous version still writes it. No version reads it, and the next one drops it.
  filledColumns: { retry_after: nullable(integer()) },
  primaryKey: { name: 'idempotency_records_pk', columns: ofTenant('operation', 'key') },
  checks: [
    check('idempotency_records_environment', "environment in ('production', 'preview')"),
    check(
      'idempotency_records_complete',
      'num_nulls(completed_at, status, content_type, body, expires_at) in (0, 5)',
    ),
    check('idempotency_records_released', 'released_at is null or completed_at is null'),
  ],
  uniques: [{ name: 'idempotency_records_operation', columns: ['operation_id'] }],
  indices: [
    { name: 'idempotency_records_expires_at', columns: ['expires_at'], where: 'expires_at is not null' },
    { name: 'idempotency_records_open', columns: ['claimed_at'], where: 'completed_at is null' },
  ],
});

/** A row of {@link idempotencyRecords}. */
export type IdempotencyRow = RowOf<typeof idempotencyRecords>;

/** A stored answer with an unconfirmed charge. */
export const unconfirmedAnswers = table('unconfirmed_answers', {
  columns: {
    operation_id: uuid(),
    organization_id: uuid(),
    completed_at: timestamp(),
  },
  primaryKey: { name: 'unconfirmed_answers_pk', columns: ['operation_id'] },
  indices: [{ name: 'unconfirmed_answers_completed_at', columns: ['completed_at'] }],
});

/** A row of {@link unconfirmedAnswers}. */
export type UnconfirmedAnswerRow = RowOf<typeof unconfirmedAnswers>;

/** The requests of an organization that count against a rate; see `RateWindow`. */
export const rateCounters = table('rate_counters', {
  columns: {
    organization_id: uuid(),
    rate: text<RateName>(),
    newest: bigint(),
    counts: arrayOf(integer()),
    /** The number granted by the last statement, which is how it returns it. */
    granted: integer(),
  },
  primaryKey: { name: 'rate_counters_pk', columns: ['organization_id', 'rate'] },
});

/** A row of {@link rateCounters}. */
export type RateCounterRow = RowOf<typeof rateCounters>;

/** The maintenance mode of all gateways. */
export const maintenance = table('maintenance', {
  columns: {
    /** There is one row. */
    id: boolean<true>(),
    is_on: boolean(),
    /** The message for callers, if not the text of the code. */
    message: nullable(text()),
    /** Seconds. */
    retry_after: integer(),
    since: nullable(timestamp()),
  },
  primaryKey: { name: 'maintenance_pk', columns: ['id'] },
  checks: [check('maintenance_one_row', 'id')],
});

/** A row of {@link maintenance}. */
export type MaintenanceRow = RowOf<typeof maintenance>;

/** A session in the console: of a person whom the identity provider vouches for, or of an API key. */
export const consoleSessions = table('console_sessions', {
  columns: {
    /** SHA-256 of the cookie's value, which is stored nowhere. */
    digest: bytes(),
    /** Of a session of a key: the digest by which keys are looked up. */
    key_digest: nullable(text()),
    /** Of a session of a person: `sub` at the identity provider. */
    subject: nullable(text()),
    /** The identity provider; null in sessions of keys, and of people who signed in with a previous version. */
    issuer: nullable(text()),
    email: nullable(text()),
    email_verified: boolean(),
    /** Encrypted; null where the provider gives none. */
    refresh_token: nullable(bytes()),
    refresh_key_id: nullable(text()),
    created_at: timestamp(),
    /** Of the latest request, to five minutes. */
    seen_at: timestamp(),
    /** However often it is used. */
    expires_at: timestamp(),
    /** The provider is asked again afterwards. */
    vouched_until: timestamp(),
    /** A gateway asks the provider until then, so that a refresh token is used once. */
    renewing_until: nullable(timestamp()),
  },
  primaryKey: { name: 'console_sessions_pk', columns: ['digest'] },
  checks: [
    check('console_sessions_holder', 'num_nonnulls(key_digest, subject) = 1'),
    check('console_sessions_sealed', 'num_nonnulls(refresh_token, refresh_key_id) in (0, 2)'),
  ],
  indices: [
    { name: 'console_sessions_expires_at', columns: ['expires_at'] },
    { name: 'console_sessions_seen_at', columns: ['seen_at'] },
    { name: 'console_sessions_key', columns: ['key_digest'] },
    { name: 'console_sessions_subject', columns: ['subject'] },
  ],
});

/** A sign-in that a browser has returned from. Its checks are in a cookie, which could be sent again. */
export const spentSignIns = table('spent_sign_ins', {
  columns: {
    /** SHA-256 of the state. */
    digest: bytes(),
    spent_at: timestamp(),
  },
  primaryKey: { name: 'spent_sign_ins_pk', columns: ['digest'] },
  indices: [{ name: 'spent_sign_ins_spent_at', columns: ['spent_at'] }],
});

/** A file of a build of the console, which gateways of other versions serve too. Its path names its content. */
export const consoleAssets = table('console_assets', {
  columns: {
    path: text(),
    content: bytes(),
    /** When a gateway that has it said so last, to a day. */
    kept_at: timestamp(),
  },
  primaryKey: { name: 'console_assets_pk', columns: ['path'] },
});

/** A row of {@link consoleAssets}. */
export type ConsoleAssetRow = RowOf<typeof consoleAssets>;

/** A row of {@link consoleSessions}. */
export type ConsoleSessionRow = RowOf<typeof consoleSessions>;
