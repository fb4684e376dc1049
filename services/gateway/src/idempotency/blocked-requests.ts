import {
  CodedError,
  type HttpOperation,
  httpOperations,
  notFound,
  type ReplyOf,
  reportOperation,
  reportQueueOperation,
  type ServiceName,
} from '@stanza/contracts';
import { type CallContext, type Clock, type Database, type RpcClient, Tenant } from '@stanza/runtime';
import { type AgedRecord, findRecord } from '../store/idempotency-records.ts';
import { mayBeRunning } from './decide-claim.ts';

/** The dependencies of ending blocked requests. */
export interface BlockedDependencies {
  database: Database;
  rpc: Pick<RpcClient, 'call'>;
  clock: Clock;
}

/** An idempotent request without a true answer, whose process is no longer working on it. */
export interface BlockedRequest {
  record: AgedRecord;
  tenant: Tenant;
  operation: HttpOperation;
}

/**
 * Finds a request without an answer, or with a failure for one, which may be untrue.
 * @throws CodedError `not_found`, or `invalid_state` when it has another answer or may still get one
 */
export const findBlockedRequest = async (
  { database }: Pick<BlockedDependencies, 'database'>,
  operationId: string,
): Promise<BlockedRequest> => {
  const record = await findRecord(database, operationId);
  if (!record) throw notFound('idempotency record');
  if (record.status !== null && record.status < 500) {
    throw new CodedError('invalid_state', { message: 'The request is already answered.' });
  }
  const operation = httpOperations.find((it) => it.id === record.operation);
  if (!operation) throw new CodedError('invalid_state', { message: 'The operation no longer exists.' });
  if (record.completed_at === null && mayBeRunning(record, operation.deadlineMs)) {
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

type Told = ReplyOf<typeof reportOperation>;

/**
 * The outcome of an operation as reported by its owner: forgotten where the request is older than what the owner keeps, so
 * that it would find nothing in any case.
 */
export type Report =
  | Exclude<Told, { outcome: 'nothing' }>
  | { outcome: 'nothing' }
  | { outcome: 'forgotten' };

const dayMs = 86_400_000;
/** Milliseconds before the end of its days from which on an owner may have forgotten. */
const forgettingMs = 3_600_000;

const trusted = (told: Told, { claimed_ms_ago }: AgedRecord): Report => {
  if (told.outcome !== 'nothing' || told.kept_days === undefined) return told;
  return claimed_ms_ago > told.kept_days * dayMs - forgettingMs
    ? { outcome: 'forgotten' }
    : { outcome: 'nothing' };
};

/** Services that can report the outcome of their operations. */
const reporters: Partial<Record<ServiceName, typeof reportOperation | typeof reportQueueOperation>> = {
  delivery: reportOperation,
  'queue-ingest': reportQueueOperation,
};

/**
 * Whether an operation runs again under its first operation id where its answer was lost: it has the effect once, and
 * answers from what the first run has left.
 */
export const runsAgain = ({ service, confirmed }: HttpOperation): boolean =>
  !confirmed && reporters[service] === undefined;

/** Asks the owner of a request for its outcome. */
export const reportFrom = async (
  { rpc }: Pick<BlockedDependencies, 'rpc'>,
  { record, operation }: BlockedRequest,
  context: CallContext,
): Promise<Report> => {
  const reporter = reporters[operation.service];
  if (!reporter) return { outcome: 'untold' };
  const { organization_id, environment, operation_id } = record;
  const asked = { organization_id, environment, operation_id, operation: operation.id };
  return trusted(await rpc.call(reporter, asked, context), record);
};

/**
 * Asks the owner of a blocked request for its outcome.
 * @throws CodedError `invalid_state` when the owner is still working on it, or has forgotten it
 */
export const askOwner = async (
  dependencies: Pick<BlockedDependencies, 'rpc'>,
  blocked: BlockedRequest,
  context: CallContext,
): Promise<Exclude<Report, { outcome: 'running' | 'forgotten' }>> => {
  const report = await reportFrom(dependencies, blocked, context);
  if (report.outcome === 'running') {
    const message = `The ${blocked.operation.service} service is still working on it; try again in half a minute.`;
    throw new CodedError('invalid_state', { message });
  }
  if (report.outcome === 'forgotten') {
    const message = `The ${blocked.operation.service} service keeps what it has done for fewer days than this request is old: look whether it happened, and give the outcome by hand.`;
    throw new CodedError('invalid_state', { message });
  }
  return report;
};
