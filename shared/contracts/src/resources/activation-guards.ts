import { z } from 'zod';
import { limits } from '../limits.ts';
import { id } from './values.ts';

/** The fields of a request that makes a version live, besides the version. */
export const activationGuards = {
  expected_current_version_id: id
    .nullable()
    .optional()
    .describe('the version you believe to be live; null for none. If it is not: 409 current_version_changed'),
  note: z.string().max(limits.note).nullable().optional(),
  accept_breaks: z
    .boolean()
    .optional()
    .describe(
      'false: refused with activation_breaks where stored data breaks; true: made live all the same; left out, the policy `guard_activation` of the organization decides',
    ),
};
