import { keyEntity, keysFor } from '@stanza/runtime';

const queue = { kind: 'queue', table: 'queues' } as const;

/** The keys of queues; that of a deleted one is free again. */
export const queueKeys = keysFor(queue);

/** The table of the keys. */
export const keyEntities = [keyEntity(queue)] as const;
