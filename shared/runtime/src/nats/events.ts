import { type EventDeclaration, eventSubjectOf, metricCatalogue } from '@stanza/contracts';
import type { z } from 'zod';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Broker } from './broker.ts';

/** Subscribes to events of other services. */
export interface Events {
  /**
   * Calls `handler` for each event, in every process that subscribed. Events are not stored for a disconnected process:
   * `onGap` is called after each reconnect, and when an event could not be handled. It must drop all state that a
   * missed event could have changed.
   */
  subscribe<P extends z.ZodType>(
    declaration: EventDeclaration<P>,
    handler: (payload: z.output<P>) => void | Promise<void>,
    options: { onGap: () => void },
  ): void;
}

/** Creates the events of a process. */
export const createEvents = (broker: Broker, log: Logger, metrics: Metrics): Events => {
  const received = metrics.counter(metricCatalogue.runtime.eventsHeard);
  const receive = async (event: string, handle: () => void | Promise<void>, onGap: () => void) => {
    try {
      await handle();
      received.inc({ event, outcome: 'ok' });
    } catch (err) {
      received.inc({ event, outcome: 'failed' });
      log.error({ err, event }, 'an event could not be handled');
      onGap();
    }
  };
  return {
    subscribe: (declaration, handler, { onGap }) => {
      const event = declaration.name;
      broker.subscribe(eventSubjectOf(declaration), (message) => {
        void receive(event, () => handler(declaration.payload.parse(message.json())), onGap);
      });
      broker.onReconnect(onGap);
    },
  };
};
