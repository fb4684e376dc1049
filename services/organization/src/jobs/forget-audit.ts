import type { OrganizationSettings } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { forgetLines } from '../store/audit-seals.ts';

/** Deletes audit log entries past their retention. */
export const forgetAudit =
  (
    { database, log }: Pick<Dependencies, 'database' | 'log'>,
    { STANZA_AUDIT_DAYS: days }: Pick<OrganizationSettings, 'STANZA_AUDIT_DAYS'>,
  ) =>
  async (): Promise<void> => {
    let count = 0;
    for (let step = await forgetLines(database, days); step > 0; step = await forgetLines(database, days))
      count += step;
    if (count > 0) log.info({ count }, 'sealed parts of the audit log past their retention were deleted');
  };
