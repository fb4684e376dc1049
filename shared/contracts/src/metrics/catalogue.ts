import { compileMetrics } from './compile.ts';
import type { MetricDeclaration } from './declare.ts';
import { deliveryMetrics } from './delivery.ts';
import { frontMetrics } from './front.ts';
import { gatewayMetrics } from './gateway.ts';
import { organizationMetrics } from './organization.ts';
import { queueMetrics } from './queue-ingest.ts';
import { databaseMetrics, runtimeMetrics } from './runtime.ts';

/** Every metric of Stanza. A process can have no other: metrics are made from these declarations only. */
export const metricCatalogue = {
  runtime: runtimeMetrics,
  database: databaseMetrics,
  gateway: gatewayMetrics,
  organization: organizationMetrics,
  compile: compileMetrics,
  delivery: deliveryMetrics,
  queues: queueMetrics,
  front: frontMetrics,
} as const;

/** The same as a list. */
export const metricDeclarations: readonly MetricDeclaration[] = Object.values(metricCatalogue).flatMap(
  (group): readonly MetricDeclaration[] => Object.values(group),
);
