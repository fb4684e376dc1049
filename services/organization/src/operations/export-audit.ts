import { notFound, exportAudit as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { exportLines } from '../export-lines.ts';
import { findOrganization } from '../store/organizations.ts';

/** Exports the audit log of an organization for an operator. */
export const exportAudit = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, ...asked } }) => {
    if (!(await findOrganization(database, organization_id))) throw notFound('organization');
    return exportLines(database, organization_id, asked);
  });
