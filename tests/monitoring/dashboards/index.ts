import { breakers } from './breakers.ts';
import { credits } from './credits.ts';
import type { Dashboard } from './dashboard.ts';
import { deliveries } from './deliveries.ts';
import { nats } from './nats.ts';
import { overview } from './overview.ts';
import { postgres } from './postgres.ts';
import { queues } from './queues.ts';
import { service } from './service.ts';

/** All dashboards. */
export const dashboards: readonly Dashboard[] = [
  overview,
  service,
  credits,
  queues,
  deliveries,
  breakers,
  postgres,
  nats,
];
