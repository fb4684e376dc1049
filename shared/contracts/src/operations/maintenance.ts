import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { timestamp } from '../resources/values.ts';

/** Whether the API is closed for maintenance, and what callers are told in the meantime. */
export const maintenanceState = z.object({
  on: z.boolean(),
  message: z.string().nullable().describe('instead of the text of the code'),
  retry_after: z.int().describe('seconds'),
  since: timestamp.nullable(),
});

/** See {@link maintenanceState}. */
export type MaintenanceState = z.output<typeof maintenanceState>;

/** Closes the API, or opens it again; closing it twice changes what callers are told. */
export const setMaintenance = internalOperation({
  id: 'set-maintenance',
  service: 'gateway',
  summary: 'Close the API for maintenance, or open it again',
  callers: ['admin'],
  input: z.object({
    on: z.boolean(),
    message: z.string().min(1).max(500).nullable().default(null),
    retry_after: z.int().min(1).max(86_400).default(60),
  }),
  reply: maintenanceState,
});

/** Tells whether the API is closed. */
export const getMaintenance = internalOperation({
  id: 'get-maintenance',
  service: 'gateway',
  readOnly: true,
  summary: 'Tell whether the API is closed for maintenance',
  callers: ['admin'],
  input: z.object({}),
  reply: maintenanceState,
});
