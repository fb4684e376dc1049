import { settleReservation as declaration } from '@stanza/contracts';
import { consume, PermanentFailure, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { itemsOfWork } from '../domain/settlement.ts';
import { lockAccount } from '../store/accounts.ts';
import { settleItems } from '../store/reservations.ts';

/** Charges the messages that the platform accepted, under the ids that delivery chose, and releases the others. */
export const settleReservation = ({ clock }: Pick<Dependencies, 'clock'>) =>
  consume(declaration, async (work, tx) => {
    const tenant = new Tenant(work.organization_id, work.environment);
    await lockAccount(tx, tenant.organizationId);
    const settled = await settleItems(tx, tenant, {
      operationId: work.operation_id,
      items: itemsOfWork(work.items),
      at: clock.now(),
    });
    if (settled === undefined) throw new PermanentFailure('there is no such reservation');
  });
