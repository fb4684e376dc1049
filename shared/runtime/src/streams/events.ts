import { type EventDeclaration, messageSubjectOf, metricCatalogue } from '@stanza/contracts';
import type { z } from 'zod';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Hears events of other services. */
export interface Events {
  /**
   * Calls `handler` for each event that arrives, in this process and in every other that subscribed. Nothing is kept
   * for a process that is away: `onGap` is called after each reconnect, and when an event could not be handled, and
   * must forget whatever a missed event would have changed.
   */
  subscribe<P extends z.ZodType>(
    declaration: EventDeclaration<P>,
    handler: (payload: z.output<P>) => void | Promise<void>,
    options: { onGap: () => void },
  ): void;
}

/** Makes the events of a process. */
export const createEvents = (broker: Broker, log: Logger, metrics: Metrics): Events => {
  const heard = metrics.counter(metricCatalogue.runtime.eventsHeard);
  const hear = async (event: string, handle: () => void | Promise<void>, onGap: () => void) => {
    try {
      await handle();
      heard.inc({ event, outcome: 'ok' });
    } catch (err) {
      heard.inc({ event, outcome: 'failed' });
      log.error({ err, event }, 'an event could not be handled');
      onGap();
    }
  };
  return {
    subscribe: (declaration, handler, { onGap }) => {
      const event = declaration.name;
      broker.subscribe(messageSubjectOf(declaration), (message) => {
        void hear(event, () => handler(declaration.payload.parse(message.json())), onGap);
      });
      broker.onReconnect(onGap);
    },
  };
};
