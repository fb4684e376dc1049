import type { OrganizationSettings } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteAuditLines } from '../store/audit-log.ts';

/** Deletes audit log entries past their retention. */
export const forgetAudit =
  (
    { database, log }: Pick<Dependencies, 'database' | 'log'>,
    { STANZA_AUDIT_DAYS: days }: Pick<OrganizationSettings, 'STANZA_AUDIT_DAYS'>,
  ) =>
  async (): Promise<void> => {
    const lines = await deleteAuditLines(database, days);
    if (lines > 0) log.info({ count: lines }, 'audit log entries past their retention were deleted');
  };
