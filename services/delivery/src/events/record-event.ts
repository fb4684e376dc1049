import { metricCatalogue, recordEvent as work } from '@stanza/contracts';
import { consume, type Metrics, Tenant } from '@stanza/runtime';
import { recordOccurrence } from './store/events.ts';
import type { CountEvents } from './store/recording.ts';

/** Counts recorded events. */
export const countEvents = (metrics: Metrics): CountEvents => {
  const recorded = metrics.counter(metricCatalogue.delivery.events);
  return (types) => {
    for (const type of types) recorded.inc({ type });
  };
};

/** Records what other services tell. The id of the work is that of the event. */
export const recordEvent = ({ countEvents }: { countEvents: CountEvents }) =>
  consume(work, async ({ organization_id, environment, type, subject, created_at, data }, tx, { id }) => {
    const tenant = new Tenant(organization_id, environment);
    const at = new Date(created_at);
    const types = await recordOccurrence(tenant, tx, { id, type, subject, data, at });
    tx.afterCommit(() => countEvents(types));
  });
