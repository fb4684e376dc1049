import { errorCodes } from '../error-codes.ts';
import { httpOperations, operations } from '../registry.ts';
import { type ServiceName, serviceNames } from '../services.ts';

/** Services that have a schema of their own in the database. */
export const withDatabase: readonly ServiceName[] = serviceNames.filter((service) => service !== 'compile');

/** Ids of all operations. */
export const operationIds: readonly string[] = operations.map((it) => it.id);

/** Ids of the operations of the API, and `none` for requests of no operation. */
export const httpOperationIds: readonly string[] = [...httpOperations.map((it) => it.id), 'none'];

/** The outcome of a call over NATS: `ok`, the code of an error, or the reason why it was not answered. */
export const callOutcomes: readonly string[] = [
  'ok',
  'failed',
  'no_responders',
  'overload',
  'timeout',
  'disconnected',
  'expired',
  'repeated',
  'forbidden',
  ...errorCodes,
];

/** HTTP statuses of answers, and `aborted` when the client disconnected before its answer. */
export const answerStatuses = {
  of: 'HTTP status, or aborted when the client disconnected',
  most: 24,
} as const;
