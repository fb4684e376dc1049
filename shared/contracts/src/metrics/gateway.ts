import type { ErrorCode } from '../error-codes.ts';
import { streamEnds } from '../operation.ts';
import { rateNames } from '../rates.ts';
import { httpOperations } from '../registry.ts';
import { counter, gauge, histogram } from './declare.ts';
import { answerStatuses, httpOperationIds } from './values.ts';

const services = ['gateway'] as const;

/** Fewer buckets than by default: each operation has all of them. */
const requestBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 5, 20];

/** The codes with which a claim is refused. A refusal by the operation itself does not count as one. */
const claimRefusals: readonly ErrorCode[] = [
  'idempotency_conflict',
  'idempotency_in_progress',
  'service_unavailable',
  'internal_error',
];

/** Metrics of the gateway: requests by operation and status, refusals and replays. */
export const gatewayMetrics = {
  requests: counter({
    name: 'stanza_http_requests_total',
    help: 'Requests by operation and status; "none": an unknown route, or refused before any, as with large headers',
    labels: { operation: httpOperationIds, status: answerStatuses },
    services,
  }),
  duration: histogram({
    name: 'stanza_http_request_duration_seconds',
    help: 'Seconds from the first byte of a request to the last byte of its response',
    labels: { operation: httpOperationIds },
    buckets: requestBuckets,
    services,
  }),
  inFlight: gauge({
    name: 'stanza_http_requests_in_flight',
    help: 'Requests in flight',
    labels: {},
    services,
  }),
  dropped: counter({
    name: 'stanza_http_connections_dropped_total',
    help: 'Connections closed without a response because the limit was reached',
    labels: {},
    services,
  }),
  keyedClaims: counter({
    name: 'stanza_idempotency_claims_total',
    help: 'Requests with an Idempotency-Key: claimed, rerun (after a release), replayed, or the error code of the refusal',
    labels: {
      operation: httpOperations.filter((it) => it.idempotent).map((it) => it.id),
      outcome: ['claimed', 'rerun', 'replayed', ...claimRefusals],
    },
    services,
  }),
  keyedEnds: counter({
    name: 'stanza_idempotency_ends_total',
    help: 'Completed claims: remembered, freed (nothing was done), blocked (response not stored); after a lost response settled (by querying the service) or released (the next request runs the operation)',
    labels: { outcome: ['remembered', 'freed', 'settled', 'released', 'blocked'] },
    services,
  }),
  keyedBlocked: gauge({
    name: 'stanza_idempotency_blocked',
    help: 'Idempotent requests without a response for a minute, counted up to 10,000',
    labels: {},
    services,
  }),
  keyedBlockedAge: gauge({
    name: 'stanza_idempotency_blocked_oldest_seconds',
    help: 'Age of the oldest idempotent request without a response',
    unit: 'seconds',
    labels: {},
    services,
  }),
  rated: counter({
    name: 'stanza_rate_requests_total',
    help: 'Requests counted against a rate limit: granted, refused, or uncounted because the database did not respond',
    labels: { rate: rateNames, outcome: ['granted', 'refused', 'uncounted'] },
    services,
  }),
  deprecated: counter({
    name: 'stanza_http_deprecated_total',
    help: 'Requests that used a camelCase key or a path without /v1',
    labels: { operation: httpOperationIds, what: ['key', 'path'] },
    services,
  }),
  streams: gauge({
    name: 'stanza_http_streams',
    help: 'Open streams of server-sent events',
    labels: {},
    services,
  }),
  streamEnds: counter({
    name: 'stanza_http_stream_ends_total',
    help: 'Closed streams: by the client, by lifetime, by shutdown, refused (permission lost), failed (no response from a service), or slow (the client did not read)',
    labels: { reason: streamEnds },
    services,
  }),
  maintenance: gauge({
    name: 'stanza_maintenance',
    help: '1 in maintenance mode',
    unit: 'state',
    labels: {},
    services,
  }),
} as const;
