import { getBlockSchema as operation } from '@stanza/contracts';
import { blockSchema } from '@stanza/engine';
import { handle } from '@stanza/runtime';

/** Answers the reference of the template language, which the engine makes from its own tables. */
export const getBlockSchema = () => {
  const schema = blockSchema();
  return handle(operation, async () => schema);
};
