import { maxReposts, reportBatch } from '@stanza/contracts';
import type { Tenant, Transaction } from '@stanza/runtime';
import { v5 as uuidv5 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { type LeftMessage, lockUnknown } from './store/abandoned-messages.ts';
import { deferSend } from './store/deferred-sends.ts';
import { repostRun } from './store/run-outcomes.ts';

/** Milliseconds for which a reposted run is retried after transient errors. */
const patienceMs = 3_600_000;

/** What its origin is told of a message, which may be a change of one. */
type Told = Pick<LeftMessage, 'id' | 'revises' | 'origin_id' | 'operation_id'>;

/** The queue of the batch decides whether it is delivered again. */
const reportToQueue = (
  { outbox }: Pick<Dependencies, 'outbox'>,
  tx: Transaction,
  tenant: Tenant,
  { id, revises, origin_id, operation_id }: Told,
): Promise<void> =>
  outbox.add(tx, reportBatch, {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    batch_id: origin_id ?? '',
    operation_id,
    status: 'unknown',
    error: 'delivery_outcome_unknown',
    message_id: revises ?? id,
    not_found: true,
  });

/** The operation id of the post that follows an unknown one; every replica gets the same. */
const repostOperation = (operationId: string): string => uuidv5('repost', operationId);

const postRunAgain = async (tx: Transaction, tenant: Tenant, operationId: string): Promise<void> => {
  const next = repostOperation(operationId);
  const scheduleId = await repostRun(tenant, tx, { before: operationId, next }, maxReposts);
  if (scheduleId === undefined) return;
  await deferSend(tenant, tx, {
    operationId: next,
    origin: 'schedule',
    originId: scheduleId,
    patienceMs,
  });
};

/**
 * Reports that the channel of a deferred message with an unknown outcome does not have it. Its origin decides by
 * `on_unknown` whether it is reposted (a queue: `repostBatch`), as a message of its own: this one stays unknown. The
 * caller of a request decides for itself. A second report changes nothing.
 */
export const reportNotFound = async (
  dependencies: Pick<Dependencies, 'database' | 'outbox'>,
  tenant: Tenant,
  message: Told & Pick<LeftMessage, 'origin'>,
): Promise<void> => {
  if (message.origin !== 'batch' && message.origin !== 'schedule') return;
  await dependencies.database.transaction(async (tx) => {
    if (!(await lockUnknown(tenant, tx, message.id))) return;
    if (message.origin === 'batch') await reportToQueue(dependencies, tx, tenant, message);
    else await postRunAgain(tx, tenant, message.operation_id);
  });
};
