import { entityOf, runtimeEntities } from '@stanza/runtime';
import { batches, queues } from '../domain/tables.ts';
import { keyEntities } from './keys.ts';

/** The entity of {@link queues}. */
export const queueEntity = entityOf(queues);

/** The entity of {@link batches}. */
export const batchEntity = entityOf(batches);

/** All entities of the service; events, their keys, counters and pushes are accessed by SQL only. */
export const entities = [queueEntity, batchEntity, ...keyEntities, ...runtimeEntities] as const;
