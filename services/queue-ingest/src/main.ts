import { runService, runtimeEntities } from '@stanza/runtime';
import { settings } from './config.ts';

await runService({
  name: 'queue-ingest',
  settings,
  entities: runtimeEntities,
  async start() {
    // Queues have no operations yet; the process, its schema and its role are already in their places.
    return { operations: [] };
  },
});
