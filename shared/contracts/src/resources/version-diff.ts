import { z } from 'zod';
import { block, id } from './values.ts';

const pointer = z
  .string()
  .describe('JSON pointer into {blocks} of the version')
  .meta({ example: '/blocks/0/text/text' });
const pointerBefore = z.string().describe('JSON pointer into {blocks} of the version compared with');
const named = { block_id: z.string().nullable(), type: z.string() };

/** One changed value inside a block. */
export const valueChange = z
  .object({
    op: z.enum(['add', 'remove', 'replace']),
    pointer: z.string().describe('JSON pointer into {blocks}: of the version, or where removed of the other'),
    from: z.unknown().optional().describe('absent where added'),
    to: z.unknown().optional().describe('absent where removed'),
  })
  .meta({ id: 'ValueChange' });

/** See {@link valueChange}. */
export type ValueChange = z.output<typeof valueChange>;

/** The changes from the blocks of one version to those of another. */
export const blockDiff = z.object({
  added: z.array(z.object({ ...named, pointer, block }).meta({ id: 'AddedBlock' })),
  removed: z.array(z.object({ ...named, pointer: pointerBefore, block }).meta({ id: 'RemovedBlock' })),
  moved: z
    .array(z.object({ ...named, from: pointerBefore, to: pointer }).meta({ id: 'MovedBlock' }))
    .describe(
      'the fewest blocks whose moves explain the new order; a block that only makes room is not listed',
    ),
  changed: z.array(
    z
      .object({ ...named, pointer, before: pointerBefore, changes: z.array(valueChange).min(1) })
      .meta({ id: 'ChangedBlock' }),
  ),
});

/** See {@link blockDiff}. */
export type BlockDiff = z.output<typeof blockDiff>;

/** The differences between two versions of a template. */
export const versionDiff = blockDiff
  .extend({
    template_id: id,
    version_id: id,
    version_number: z.int(),
    against: z.object({ version_id: id, version_number: z.int() }),
  })
  .meta({ id: 'VersionDiff' });

/** See {@link versionDiff}. */
export type VersionDiff = z.output<typeof versionDiff>;
