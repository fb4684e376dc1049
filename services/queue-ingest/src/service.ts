import { defineService, eraseOrganizations, followTiers, handlersFrom } from '@stanza/runtime';
import { settings } from './config.ts';
import { discardDelivery } from './discard-delivery.ts';
import { closeBatches } from './jobs/close-batches.ts';
import { keepHouse } from './jobs/keep-house.ts';
import { awaitTodaysPartitions, makePartitions } from './jobs/keep-partitions.ts';
import { measureBatches } from './jobs/measure-batches.ts';
import { showBatches } from './jobs/show-batches.ts';
import * as operations from './operations/index.ts';
import { entities } from './store/entities.ts';
import { eraseEvents } from './store/erasure.ts';
import { migrations } from './store/migrations/index.ts';
import { nextBatch } from './store/next-batch.ts';

/** The queue-ingest service. */
export const service = defineService({
  name: 'queue-ingest',
  settings,
  entities,
  migrations,
  async start(serviceContext) {
    const { database, outbox, rpc, clock, log, metrics, tracing } = serviceContext;
    const tiers = followTiers(serviceContext);
    const dependencies = { database, outbox, rpc, clock, metrics, tiers, tracing };
    const house = keepHouse(dependencies, serviceContext.settings, log);
    await awaitTodaysPartitions(dependencies, log);
    // Until they are counted, none are told.
    await makePartitions(dependencies, log)();
    serviceContext.every('keep-house', 60_000, house);
    const [close, show] = [closeBatches(dependencies), showBatches(dependencies)];
    serviceContext.whenDue('close-batches', {
      next: () => nextBatch(database),
      run: async () => {
        await close();
        await show();
      },
    });
    serviceContext.every('measure-batches', 15_000, measureBatches(dependencies));
    const erase = eraseOrganizations('queue-ingest', serviceContext, { before: [eraseEvents] });
    return {
      operations: [...handlersFrom(operations, dependencies), erase],
      discards: [discardDelivery(dependencies)],
    };
  },
});
