import { keyEntity, keysFor } from '@stanza/runtime';

const destination = { kind: 'destination', table: 'destinations' } as const;

/** The keys of destinations. */
export const destinationKeys = keysFor(destination);

/** The table of the keys. */
export const destinationKeyEntity = keyEntity(destination);
