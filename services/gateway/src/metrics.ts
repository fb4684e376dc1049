import type { Metrics } from '@stanza/runtime';

/** What the gateway counts: requests by operation and status, and the use of what is deprecated. */
export const gatewayMetrics = (metrics: Metrics) => ({
  requests: metrics.counter({
    name: 'stanza_http_requests_total',
    help: 'Requests by operation and status; unknown routes are counted as operation "none"',
    labels: ['operation', 'status'],
  }),
  duration: metrics.histogram({
    name: 'stanza_http_request_duration_seconds',
    help: 'Seconds from the first byte of a request to the last byte of its answer',
    labels: ['operation'],
  }),
  inFlight: metrics.gauge({ name: 'stanza_http_requests_in_flight', help: 'Requests being worked on' }),
  crowded: metrics.counter({
    name: 'stanza_http_crowded_total',
    help: 'Requests refused because the gateway was full, or because their organization held its share of it',
    labels: ['reason'],
  }),
  dropped: metrics.counter({
    name: 'stanza_http_connections_dropped_total',
    help: 'Connections closed unheard because there were as many as are allowed',
  }),
  keyedClaims: metrics.counter({
    name: 'stanza_idempotency_claims_total',
    help: 'Requests with an Idempotency-Key: claimed, rerun (after a release), replayed, or the code that refused them',
    labels: ['operation', 'outcome'],
  }),
  keyedEnds: metrics.counter({
    name: 'stanza_idempotency_ends_total',
    help: 'Claimed requests by how they ended: remembered, freed (nothing was done), blocked (the answer was not kept)',
    labels: ['outcome'],
  }),
  keyedBlocked: metrics.gauge({
    name: 'stanza_idempotency_blocked',
    help: 'Keyed requests that have been without an answer for a minute, counted as far as 10,000',
  }),
  keyedBlockedAge: metrics.gauge({
    name: 'stanza_idempotency_blocked_oldest_seconds',
    help: 'Age of the oldest keyed request without an answer',
  }),
  rated: metrics.counter({
    name: 'stanza_rate_requests_total',
    help: 'Requests counted against a rate: granted, refused, or uncounted because the database did not answer',
    labels: ['rate', 'outcome'],
  }),
  deprecated: metrics.counter({
    name: 'stanza_http_deprecated_total',
    help: 'Requests that used a camelCase key or a path without /v1',
    labels: ['operation', 'what'],
  }),
});

/** See {@link gatewayMetrics}. */
export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;
