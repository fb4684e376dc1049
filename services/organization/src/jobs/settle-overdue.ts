import { type ReplyOf, reportReservations } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { itemsOfReport } from '../domain/settlement.ts';
import { claimOpen, type OpenReservation, reportBatch } from '../store/reservations.ts';
import { settleTogether } from '../store/settlements.ts';

type Report = ReplyOf<typeof reportReservations>['reports'][number];

/**
 * Asks delivery for the outcomes of overdue reservations and settles by its report. A reservation never ends by time
 * alone: a message that delivery calls open, or does not report, is queried again.
 */
export const settleOverdue = ({
  database,
  clock,
  rpc,
  log,
}: Pick<Dependencies, 'database' | 'clock' | 'rpc' | 'log'>) => {
  const settle = async ({ tenant, operationId, amount }: OpenReservation, report: Report): Promise<void> => {
    const work = { tenant, operationId, items: itemsOfReport(amount, report.items) };
    const [settled] = await settleTogether(database, tenant.organizationId, [work], clock.now());
    log.info({ operation_id: operationId, count: settled }, 'an overdue reservation was settled');
  };
  /**
   * Settles the outcomes that delivery knows; a failure does not block other reservations, and is retried at the next
   * round.
   */
  const settleAll = async (open: readonly OpenReservation[], reports: readonly Report[]): Promise<void> => {
    for (const reservation of open) {
      const report = reports.find((it) => it.operation_id === reservation.operationId);
      if (!report || report.open) continue;
      try {
        await settle(reservation, report);
      } catch (err) {
        log.error(
          { err, operation_id: reservation.operationId },
          'an overdue reservation could not be settled',
        );
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
    // Each reservation is claimed for half a minute, so the rounds end when no reservation is due.
    while ((await round()) === reportBatch && !signal?.aborted);
  };
};
