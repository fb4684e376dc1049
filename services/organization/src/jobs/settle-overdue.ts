import { type ReplyOf, reportReservations } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { itemsOfReport } from '../domain/settlement.ts';
import { lockAccount } from '../store/accounts.ts';
import { claimOpen, type OpenReservation, reportBatch, settleItems } from '../store/reservations.ts';

type Report = ReplyOf<typeof reportReservations>['reports'][number];

/**
 * Asks delivery what became of the messages of reservations that have been open for long, and settles by its report.
 * A reservation never ends by time alone: what delivery calls open, or says nothing about, is asked about again.
 */
export const settleOverdue = ({
  database,
  clock,
  rpc,
  log,
}: Pick<Dependencies, 'database' | 'clock' | 'rpc' | 'log'>) => {
  const settle = async ({ tenant, operationId, amount }: OpenReservation, report: Report): Promise<void> => {
    const items = itemsOfReport(amount, report.items);
    const settled = await database.transaction(async (tx) => {
      await lockAccount(tx, tenant.organizationId);
      return settleItems(tx, tenant, { operationId, items, at: clock.now() });
    });
    log.info({ operation_id: operationId, count: settled }, 'an old reservation was settled');
  };
  /** Settles what delivery knows the outcome of; one that fails holds up no other, and is asked about again. */
  const settleAll = async (open: readonly OpenReservation[], reports: readonly Report[]): Promise<void> => {
    for (const reservation of open) {
      const report = reports.find((it) => it.operation_id === reservation.operationId);
      if (!report || report.open) continue;
      try {
        await settle(reservation, report);
      } catch (err) {
        log.error({ err, operation_id: reservation.operationId }, 'an old reservation could not be settled');
      }
    }
  };
  const round = async (): Promise<number> => {
    const open = await claimOpen(database);
    if (open.length === 0) return 0;
    const reservations = open.map(({ tenant, operationId, amount }) => ({
      organization_id: tenant.organizationId,
      environment: tenant.environment,
      operation_id: operationId,
      amount,
    }));
    const context = newContext({ deadlineMs: reportReservations.deadlineMs });
    const { reports } = await rpc.call(reportReservations, { reservations }, context);
    await settleAll(open, reports);
    return open.length;
  };
  return async (signal?: AbortSignal): Promise<void> => {
    // Each is claimed for half a minute: the rounds end with the reservations that are due.
    while ((await round()) === reportBatch && !signal?.aborted);
  };
};
