import { id } from './id.ts';
import { optional } from './object.ts';
import { sameIfBoth } from './rules.ts';
import type { Kind, Kinds } from './typed.ts';

const blockId = id('block.block_id');
const described = { ...blockId.describe(), required: false };

/** A kind of block with the keys of its id: templates say `id`; native messages say `block_id`, and so does the output. */
export const withId = ({ shape, boundForm, ...kind }: Kind): Kind => ({
  ...kind,
  shape: {
    ...shape,
    fields: { id: { ...optional(blockId), as: 'block_id' }, block_id: optional(blockId), ...shape.fields },
    rules: [sameIfBoth('id', 'block_id'), ...(shape.rules ?? [])],
  },
  ...(boundForm && {
    boundForm: { ...boundForm, fields: { id: described, block_id: described, ...boundForm.fields } },
  }),
});

/** Kinds of blocks with the keys of their ids. */
export const withIds = (kinds: Kinds): Kinds =>
  Object.fromEntries(Object.entries(kinds).map(([type, kind]) => [type, withId(kind)]));
