import { metricCatalogue } from '@stanza/contracts';
import type { Metrics } from '@stanza/runtime';

const declared = metricCatalogue.gateway;

/** The metrics of the gateway: requests by operation and status, and the use of deprecated features. */
export const gatewayMetrics = (metrics: Metrics) => ({
  requests: metrics.counter(declared.requests),
  duration: metrics.histogram(declared.duration),
  inFlight: metrics.gauge(declared.inFlight),
  dropped: metrics.counter(declared.dropped),
  keyedClaims: metrics.counter(declared.keyedClaims),
  keyedEnds: metrics.counter(declared.keyedEnds),
  keyedBlocked: metrics.gauge(declared.keyedBlocked),
  keyedBlockedAge: metrics.gauge(declared.keyedBlockedAge),
  rated: metrics.counter(declared.rated),
  streams: metrics.gauge(declared.streams),
  streamEnds: metrics.counter(declared.streamEnds),
  deprecated: metrics.counter(declared.deprecated),
});

/** See {@link gatewayMetrics}. */
export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;
