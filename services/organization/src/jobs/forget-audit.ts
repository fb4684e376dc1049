import type { OrganizationSettings } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteAuditLines } from '../store/audit-log.ts';

const dayMs = 24 * 3_600_000;

/** Deletes audit log entries past their retention. */
export const forgetAudit =
  (
    { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
    { STANZA_AUDIT_DAYS: days }: Pick<OrganizationSettings, 'STANZA_AUDIT_DAYS'>,
  ) =>
  async (): Promise<void> => {
    const lines = await deleteAuditLines(database, new Date(clock.now().getTime() - days * dayMs));
    if (lines > 0) log.info({ count: lines }, 'audit log entries past their retention were deleted');
  };
