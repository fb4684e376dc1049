import { keyEntity, keysFor } from '@stanza/runtime';

const template = { kind: 'template', called: 'template or partial', table: 'templates' } as const;
const entity = { kind: 'entity', table: 'entities' } as const;
const modal = { kind: 'modal', table: 'modals' } as const;

/** The keys of templates. */
export const templateKeys = keysFor(template);
/** The keys of entities. */
export const entityKeys = keysFor(entity);
/** The keys of modals. */
export const modalKeys = keysFor(modal);

/** The tables of the keys. */
export const keyEntities = [keyEntity(template), keyEntity(entity), keyEntity(modal)] as const;
