import { exportAudit, readAuditChain } from '@stanza/contracts';
import { Command } from 'commander';
import { type ReadChain, refuseFaults, verifyAudit } from './audit-verify.ts';
import { asOperator, checked } from './operator.ts';
import { print } from './print.ts';

/** `npm run admin -- audit …`: the audit log of an organization. */
export const audit = (): Command => {
  const group = new Command('audit').description('the audit log of an organization');
  group
    .command('export <organization-id>')
    .description('print the audit log, a line of JSON each, oldest first')
    .option('--from <time>', 'changes at or after this moment, like 2027-01-01T00:00:00Z')
    .option('--to <time>', 'changes before this moment')
    .option('--cursor <cursor>', 'continue after the last line of an earlier export')
    .action((organization_id, given) => {
      const input = checked(exportAudit.input, { organization_id, ...given });
      return asOperator(async (rpc, newCall) => {
        let { cursor } = input;
        for (;;) {
          const { data, next_cursor, has_more } = await rpc.call(
            exportAudit,
            { ...input, cursor },
            newCall(),
          );
          for (const line of data) await print(JSON.stringify(line));
          cursor = next_cursor ?? undefined;
          if (has_more) continue;
          // On standard error, for the next export.
          if (cursor !== undefined) console.error(`--cursor ${cursor}`);
          return;
        }
      });
    });
  group
    .command('verify <organization-id>')
    .description('compare the audit log with its seals, and print the last one')
    .option('--head <number:hash>', 'the last seal of an earlier look, which must still be there')
    .action((organization_id, { head }) =>
      asOperator(async (rpc, newCall) => {
        const read: ReadChain = (input) => rpc.call(readAuditChain, input, newCall());
        const verified = await verifyAudit(read, organization_id, head);
        await print(JSON.stringify(verified, null, 2));
        refuseFaults(verified);
      }),
    );
  return group;
};
