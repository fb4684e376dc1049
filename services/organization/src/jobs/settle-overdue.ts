import { type ReplyOf, reportReservations } from '@stanza/contracts';
import { isLockTimeout, newContext } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { itemsOfReport } from '../domain/settlement.ts';
import { claimOpen, dueReservations, type OpenReservation, reportBatch } from '../store/open-reservations.ts';
import { type SettledWork, settleTogether } from '../store/settlements.ts';

/** Organizations that are settled at a time: each holds a connection while it waits for its account. */
const sideBySide = 3;

type Report = ReplyOf<typeof reportReservations>['reports'][number];

/**
 * Asks delivery for the outcomes of overdue reservations (`reportAfter`: 30 s old) and settles by its report. A
 * reservation never ends by time alone: a message that delivery calls open, or does not report, is queried again.
 * Organizations take turns, and are settled side by side: one whose account is held keeps no other one waiting.
 */
export const settleOverdue = ({
  database,
  clock,
  rpc,
  log,
}: Pick<Dependencies, 'database' | 'clock' | 'rpc' | 'log'>) => {
  const overdue = dueReservations();
  /**
   * Settles what delivery knows of one organization, and each reservation by itself where all together fail. What fails is
   * asked again once it is due again.
   */
  const settleOne = async (organizationId: string, works: readonly SettledWork[]): Promise<void> => {
    try {
      const settled = await settleTogether(database, organizationId, works, clock.now());
      for (const [at, { operationId }] of works.entries()) {
        log.info({ operation_id: operationId, count: settled[at] }, 'an overdue reservation was settled');
      }
    } catch (err) {
      if (works.length === 1 || isLockTimeout(err)) {
        const { length: count } = works;
        log.error(
          { err, organization_id: organizationId, count },
          'overdue reservations could not be settled',
        );
        return;
      }
      for (const work of works) await settleOne(organizationId, [work]);
    }
  };
  const settleAll = async (open: readonly OpenReservation[], reports: readonly Report[]): Promise<void> => {
    const works = open.flatMap(({ tenant, operationId, amount }): SettledWork[] => {
      const report = reports.find((it) => it.operation_id === operationId);
      return report && !report.open
        ? [{ tenant, operationId, items: itemsOfReport(amount, report.items) }]
        : [];
    });
    const byOrganization = Map.groupBy(works, ({ tenant }) => tenant.organizationId);
    const waiting = [...byOrganization];
    const settleNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await settleOne(...next);
    };
    await Promise.all(Array.from({ length: sideBySide }, settleNext));
  };
  const round = async (): Promise<number> => {
    const organizations = await overdue.find(database);
    const open = organizations.length > 0 ? await claimOpen(database, organizations) : [];
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
