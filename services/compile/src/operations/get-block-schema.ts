import { getBlockSchema as operation } from '@stanza/contracts';
import { blockSchema } from '@stanza/engine';
import { handle } from '@stanza/runtime';

/** Answers the reference of the template language, made from the engine's tables. */
export const getBlockSchema = () => {
  const schema = blockSchema();
  return handle(operation, async () => schema);
};
