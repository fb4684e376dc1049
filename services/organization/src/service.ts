import { defineService, handlersFrom } from '@stanza/runtime';
import { checkKeyHashes } from './check-key-hashes.ts';
import { settings } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { ConfirmationWindow } from './domain/confirmation-window.ts';
import { Uses } from './domain/uses.ts';
import { emitLowCredits } from './jobs/emit-low-credits.ts';
import { eraseMs, eraseOwnOrganizations } from './jobs/erase-organizations.ts';
import { forgetAudit } from './jobs/forget-audit.ts';
import { forgetReservations } from './jobs/forget-reservations.ts';
import { forgetUsers } from './jobs/forget-users.ts';
import { grantMonthly } from './jobs/grant-monthly.ts';
import { measureReservations } from './jobs/measure-reservations.ts';
import { recordUses } from './jobs/record-uses.ts';
import { nextReversal, reverseCharges } from './jobs/reverse-charges.ts';
import { sealAudit } from './jobs/seal-audit.ts';
import { settleOverdue } from './jobs/settle-overdue.ts';
import { streamAudit } from './jobs/stream-audit.ts';
import { createMailer } from './mail.ts';
import * as operations from './operations/index.ts';
import { applyTiers } from './store/accounts.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';
import { nextReport } from './store/open-reservations.ts';

/** The organization service. */
export const service = defineService({
  name: 'organization',
  settings,
  entities,
  migrations,
  // The months of a large organization are a million rows of one index.
  reports: { statementMs: 4_000 },
  async start(serviceContext) {
    const { database, outbox, rpc, clock, log, metrics } = serviceContext;
    const { STANZA_TIERS: tiers, STANZA_KEY_HASH_SECRETS: keyHashes } = serviceContext.settings;
    const confirmationWindow = new ConfirmationWindow(clock.monotonic());
    const mailer = await createMailer(serviceContext.settings, log);
    const { STANZA_INVITATION_DAYS: days, STANZA_INVITATION_URL: page } = serviceContext.settings;
    const dependencies: Dependencies = {
      database,
      reports: serviceContext.reports,
      outbox,
      rpc,
      clock,
      log,
      metrics,
      tiers,
      keyHashes,
      keyUse: new Uses(),
      sessionUse: new Uses(),
      confirmationWindow,
      erasureDelayMs: serviceContext.settings.STANZA_ERASURE_DELAY_SECONDS * 1_000,
      mailer,
      invitations: { days, page },
    };
    await applyTiers(database, tiers);
    await checkKeyHashes(dependencies);
    const reverse = reverseCharges(dependencies);
    const record = recordUses(dependencies);
    serviceContext.every('watch-connection', 2_000, async () => {
      if (!serviceContext.connected()) confirmationWindow.interrupted(clock.monotonic());
    });
    serviceContext.whenDue('reverse-charges', {
      next: nextReversal(dependencies),
      run: async () => void (await reverse()),
    });
    serviceContext.whenDue('settle-overdue', {
      next: () => nextReport(dependencies.database),
      run: settleOverdue(dependencies),
    });
    serviceContext.every('measure-reservations', 15_000, measureReservations(dependencies));
    serviceContext.every('grant-monthly', 60_000, grantMonthly(dependencies));
    serviceContext.every('emit-low-credits', 30_000, emitLowCredits(dependencies));
    serviceContext.every('seal-audit', 10_000, sealAudit(dependencies));
    serviceContext.every('forget-audit', 10 * 60_000, forgetAudit(dependencies, serviceContext.settings));
    serviceContext.every(
      'forget-reservations',
      10 * 60_000,
      forgetReservations(dependencies, serviceContext.settings),
    );
    serviceContext.every('forget-users', 10 * 60_000, forgetUsers(dependencies));
    const { STANZA_AUDIT_STREAM: auditFile } = serviceContext.settings;
    if (auditFile !== undefined)
      serviceContext.every('stream-audit', 1_000, streamAudit(dependencies, auditFile));
    serviceContext.every('record-uses', 3_000, record);
    serviceContext.every(
      'erase-organizations',
      eraseMs(dependencies.erasureDelayMs),
      eraseOwnOrganizations(dependencies),
    );
    serviceContext.onClose(record);
    serviceContext.onClose(async () => mailer.close());
    return { operations: handlersFrom(operations, dependencies) };
  },
});
