import type { z } from 'zod';
import { key } from './values.ts';

/** Names an entity by its key, next to `entity_id`. */
export const entityKey = key.optional().describe('the key of the entity, in place of its id');

/** An entity as a request names it. */
export interface EntityReference {
  entity_id?: string | null | undefined;
  entity_key?: string | undefined;
}

/** Accepts an entity that is named in one of the two ways at most. */
export const isOneEntityAtMost = (
  { entity_id, entity_key }: EntityReference,
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void => {
  if ((entity_id ?? undefined) === undefined || entity_key === undefined) return;
  const message = 'give entity_id or entity_key, not both';
  context.addIssue({ code: 'custom', path: ['entity_key'], message });
};
