import { CodedError, type Environment } from '@stanza/contracts';
import {
  type Allowance,
  type AuditedChange,
  audit,
  type CallContext,
  type Clock,
  newId,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';

/** The transaction that writes a promotion, and what all that it writes has in common. */
export interface Work {
  tenant: Tenant;
  from: Environment;
  tx: Transaction;
  outbox: Dependencies['outbox'];
  allowance: Allowance;
  author: string;
  at: Date;
  /** Called before each template. @throws CodedError `service_unavailable` once the caller waits no more */
  checkTime: () => void;
  /** Records a change for the audit log, with where it came from. */
  record: (change: Pick<AuditedChange, 'action' | 'subject' | 'changes'>) => Promise<void>;
}

/** The caller has its answer, that nothing is known: what is written after it would only keep others waiting. */
const checkingTime =
  (clock: Clock, { deadline }: CallContext) =>
  (): void => {
    if (clock.monotonic() < deadline) return;
    throw new CodedError('service_unavailable', {
      message:
        'The promotion takes longer than a request may, and nothing was written; promote fewer templates.',
      retry_after: 1,
      nothing_done: true,
    });
  };

/** Begins to write a promotion. */
export const beginWork = (
  { outbox, clock }: Pick<Dependencies, 'outbox' | 'clock'>,
  context: CallContext,
  work: Omit<Work, 'record' | 'outbox' | 'checkTime'>,
): Work => ({
  ...work,
  outbox,
  checkTime: checkingTime(clock, context),
  record: ({ changes, ...change }) =>
    audit(work.tx, outbox, context, {
      ...change,
      changes: { ...changes, promoted_from: work.from },
      at: work.at,
    }),
});

/** The origin of a new row. A promotion writes many, so that none has the operation id of the request. */
export const originOf = ({ author, at }: Work) => ({
  operation_id: newId(),
  created_by: author,
  created_at: at,
  updated_at: at,
});
