export * from './audit-seal.ts';
export * from './breaker.ts';
export * from './cache-bound.ts';
export * from './clock.ts';
export * from './coalescer.ts';
export { Baseline, fingerprintOf } from './database/baseline.ts';
export * from './database/commit-order.ts';
export { createDataSource, type DataSourceFacts, type Migration } from './database/data-source.ts';
export * from './database/database.ts';
export * from './database/due-organizations.ts';
export { entityOf } from './database/entity.ts';
export * from './database/faults.ts';
export * from './database/find-row.ts';
export * from './database/impact-reads.ts';
export * from './database/in-batches.ts';
export {
  createKeys,
  filteredId,
  type Keyed,
  type KeyedKind,
  type Keys,
  keyEntity,
  keysFor,
} from './database/keys.ts';
export * from './database/migrate.ts';
export * from './database/next-due.ts';
export { OutboxFailures } from './database/outbox-failures.ts';
export { ConfinedFunctions } from './database/owner-functions.ts';
export { acrossOrganizations, currentHolder, withinOrganizations } from './database/reach.ts';
export * from './database/referrers.ts';
export type { Reports } from './database/reports.ts';
export * from './database/runtime-tables.ts';
export * from './database/statement.ts';
export * from './database/tenant.ts';
export * from './encryption/encrypted-token.ts';
export * from './encryption/encryption-keys.ts';
export * from './id.ts';
export * from './invariant.ts';
export * from './leased-worker.ts';
export * from './named-template.ts';
export * from './nats/broker.ts';
export * from './nats/events.ts';
export * from './observability/log.ts';
export * from './observability/log-schema.ts';
export * from './observability/metrics.ts';
export { withoutSecrets } from './observability/scrub.ts';
export * from './observability/tracing.ts';
export * from './observability/user-agent.ts';
export { isUnavailable } from './outage.ts';
export * from './outbox/audit.ts';
export { type Discard, whenDiscarded } from './outbox/discards.ts';
export * from './outbox/emit-event.ts';
export * from './outbox/outbox.ts';
export * from './packed-events.ts';
export * from './process/background.ts';
export * from './process/erasure.ts';
export * from './process/health.ts';
export { type Door, doorOf, whenMalformed } from './process/http-connections.ts';
export * from './process/run-services.ts';
export * from './process/service.ts';
export * from './process/service-context.ts';
export { environmentsOf, variableOf } from './process/service-environment.ts';
export * from './process/settings.ts';
export { shutdownLimitMs } from './process/shutdown.ts';
export * from './process/start-service.ts';
export * from './process/steps.ts';
export * from './process/version.ts';
export * from './rpc/client.ts';
export * from './rpc/connect.ts';
export * from './rpc/context.ts';
export * from './rpc/failure.ts';
export * from './rpc/handler.ts';
export { handlersFrom } from './rpc/handlers.ts';
export * from './rpc/if-match.ts';
export * from './rpc/server.ts';
export * from './shares/concurrency-limit.ts';
export * from './shares/share-metrics.ts';
export * from './shares/turns.ts';
export * from './tiers/follow.ts';
export * from './tiers/stored-bytes.ts';
export * from './tiers/stored-limits.ts';
