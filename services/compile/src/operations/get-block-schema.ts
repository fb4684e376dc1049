import { getBlockSchema as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { blockSchema } from '../engine/index.ts';

/** Answers the reference of the template language, which the engine makes from its own tables. */
export const getBlockSchema = () => {
  const schema = blockSchema();
  return handle(operation, async () => schema);
};
