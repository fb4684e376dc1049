import {
  CodedError,
  type HttpOperation,
  httpOperations,
  notFound,
  type ReplyOf,
  reportOperation,
  type ServiceName,
} from '@stanza/contracts';
import { type CallContext, type Clock, type Database, type RpcClient, Tenant } from '@stanza/runtime';
import { findRecord } from '../store/idempotency-records.ts';
import type { IdempotencyRow } from '../store/tables.ts';
import { mayBeRunning } from './decide-claim.ts';

/** The dependencies of ending blocked requests. */
export interface BlockedDependencies {
  database: Database;
  rpc: Pick<RpcClient, 'call'>;
  clock: Clock;
}

/** An idempotent request without an answer, whose process is no longer working on it. */
export interface BlockedRequest {
  record: IdempotencyRow;
  tenant: Tenant;
  operation: HttpOperation;
}

/**
 * Finds a blocked request.
 * @throws CodedError `not_found`, or `invalid_state` when it has an answer or may still get one
 */
export const findBlockedRequest = async (
  { database }: Pick<BlockedDependencies, 'database'>,
  operationId: string,
): Promise<BlockedRequest> => {
  const record = await findRecord(database, operationId);
  if (!record) throw notFound('idempotency record');
  if (record.completed_at !== null) {
    throw new CodedError('invalid_state', { message: 'The request has an answer already.' });
  }
  const operation = httpOperations.find((it) => it.id === record.operation);
  if (!operation) throw new CodedError('invalid_state', { message: 'The operation no longer exists.' });
  if (mayBeRunning(record, operation.deadlineMs)) {
    const message = 'The request may still be running; try again in half a minute.';
    throw new CodedError('invalid_state', { message });
  }
  return { record, tenant: new Tenant(record.organization_id, record.environment), operation };
};

/** The tenant and operation of a request that an operator ends, for the audit log. */
export const endingOf = ({ record, tenant }: BlockedRequest) => ({
  subject: { kind: 'idempotent_request', id: record.operation_id },
  owner: { organization_id: tenant.organizationId, environment: tenant.environment },
});

/** The outcome of an operation as reported by its owner. */
export type Report = ReplyOf<typeof reportOperation>;

/** Services that can report the outcome of their operations. */
const reporters: Partial<Record<ServiceName, typeof reportOperation>> = { delivery: reportOperation };

/**
 * Asks the owner of a blocked request for its outcome.
 * @throws CodedError `invalid_state` when the owner is still working on it
 */
export const askOwner = async (
  { rpc }: BlockedDependencies,
  { record, operation }: BlockedRequest,
  context: CallContext,
): Promise<Exclude<Report, { outcome: 'running' }>> => {
  const reporter = reporters[operation.service];
  if (!reporter) return { outcome: 'untold' };
  const { organization_id, environment, operation_id } = record;
  const asked = { organization_id, environment, operation_id, operation: operation.id };
  const report = await rpc.call(reporter, asked, context);
  if (report.outcome === 'running') {
    const message = `The ${operation.service} service is still working on it; try again in half a minute.`;
    throw new CodedError('invalid_state', { message });
  }
  return report;
};
