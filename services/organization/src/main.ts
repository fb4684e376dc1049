import { runService } from '@stanza/runtime';
import { settings } from './config.ts';
import { organizationErased } from './consumers/organization-erased.ts';
import { recordAudit } from './consumers/record-audit.ts';
import { settleReservation } from './consumers/settle-reservation.ts';
import { Patience } from './domain/patience.ts';
import { Uses } from './domain/uses.ts';
import { eraseOwnOrganizations } from './jobs/erase-organizations.ts';
import { forgetAudit } from './jobs/forget-audit.ts';
import { forgetReservations } from './jobs/forget-reservations.ts';
import { grantMonthly } from './jobs/grant-monthly.ts';
import { measureReservations } from './jobs/measure-reservations.ts';
import { recordUses } from './jobs/record-uses.ts';
import { reverseCharges } from './jobs/reverse-charges.ts';
import { settleOverdue } from './jobs/settle-overdue.ts';
import { streamAudit } from './jobs/stream-audit.ts';
import { createMailer } from './mail.ts';
import { operations } from './operations/index.ts';
import type { Parts } from './parts.ts';
import { applyTiers } from './store/accounts.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';

await runService({
  name: 'organization',
  settings,
  entities,
  migrations,
  async start(kit) {
    const { database, outbox, rpc, clock, log, metrics } = kit;
    const { STANZA_TIERS: tiers, STANZA_KEY_HASH_SECRETS: keyHashes } = kit.settings;
    const patience = new Patience(clock.monotonic());
    const mailer = createMailer(kit.settings, log);
    const { STANZA_INVITATION_DAYS: days, STANZA_INVITATION_URL: page } = kit.settings;
    const parts: Parts = {
      database,
      outbox,
      rpc,
      clock,
      log,
      metrics,
      tiers,
      keyHashes,
      keyUse: new Uses(),
      sessionUse: new Uses(),
      patience,
      erasureDelayMs: kit.settings.STANZA_ERASURE_DELAY_SECONDS * 1_000,
      mailer,
      invitations: { days, page },
    };
    await applyTiers(database, tiers);
    const reverse = reverseCharges(parts);
    const record = recordUses(parts);
    kit.every('reverse-charges', 2_000, async () => {
      if (!kit.connected()) patience.interrupted(clock.monotonic());
      await reverse();
    });
    kit.every('settle-overdue', 5_000, settleOverdue(parts));
    kit.every('measure-reservations', 10_000, measureReservations(parts));
    kit.every('grant-monthly', 60_000, grantMonthly(parts));
    kit.every('forget-audit', 10 * 60_000, forgetAudit(parts, kit.settings));
    kit.every('forget-reservations', 10 * 60_000, forgetReservations(parts, kit.settings));
    const { STANZA_AUDIT_STREAM: auditFile } = kit.settings;
    if (auditFile !== undefined) kit.every('stream-audit', 1_000, streamAudit(parts, auditFile));
    kit.every('record-uses', 3_000, record);
    kit.every('erase-organizations', 2_000, eraseOwnOrganizations(parts));
    kit.onClose(record);
    kit.onClose(async () => mailer.close());
    const consumers = [settleReservation(parts), recordAudit(), organizationErased(parts)];
    return { operations: operations({ ...parts, consumers }), consumers };
  },
});
