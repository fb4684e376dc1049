import { CodedError, reserveCredits as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import { refusalCode } from '../domain/charges.ts';
import type { Parts } from '../parts.ts';
import { lockAccount } from '../store/accounts.ts';
import { addReservation, findReservation } from '../store/reservations.ts';

/** Holds credits for the messages of an operation, all or none; a repeat gets the first answer. */
export const reserveCredits = ({ database, clock }: Pick<Parts, 'database' | 'clock'>) =>
  handle(operation, async ({ input }) => {
    const tenant = new Tenant(input.organization_id, input.environment);
    return database.transaction(async (tx) => {
      const account = await lockAccount(tx, tenant.organizationId);
      if (!account) throw new CodedError('credits_not_found');
      const known = await findReservation(tx, tenant, input.operation_id);
      if (known) return known;
      const remainingCredits = account.balance - account.reserved - input.amount;
      if (remainingCredits + account.overage < 0) throw new CodedError(refusalCode(account.overage));
      return addReservation(tx, tenant, {
        operationId: input.operation_id,
        templateId: input.template_id,
        actorId: input.actor_id,
        amount: input.amount,
        remainingCredits,
        at: clock.now(),
      });
    });
  });
