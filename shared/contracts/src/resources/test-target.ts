import { z } from 'zod';
import { limits } from '../limits.ts';
import { destinationForm, isOneDestination, oneDestination } from './message.ts';
import { timestamp } from './values.ts';

/** A channel or a person that an admin has listed for test sends. */
export const testTarget = z
  .strictObject({
    ...destinationForm,
    description: z.string().max(limits.name).optional().describe('for those who choose among the targets'),
  })
  .superRefine(isOneDestination)
  .meta({ id: 'TestTarget', ...oneDestination });

/** See {@link testTarget}. */
export type TestTarget = z.output<typeof testTarget>;

/** The list of an environment. */
export const testTargetList = z
  .object({
    targets: z.array(testTarget),
    updated_by: z
      .string()
      .nullable()
      .describe('the user or key that changed it last; null while it is empty'),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'TestTargetList' });

/** See {@link testTargetList}. */
export type TestTargetList = z.output<typeof testTargetList>;
