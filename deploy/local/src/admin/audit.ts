import { exportAudit, type InputOf, type ReplyOf, readAuditChain } from '@stanza/contracts';
import { Command } from 'commander';
import { type ReadChain, refuseFaults, verifyAudit } from './audit-verify.ts';
import { asOperator, checked } from './operator.ts';
import { print } from './print.ts';

type Exporting = InputOf<typeof exportAudit>;

/** Where an export goes. */
interface Sink {
  /** @returns whether more lines are wanted */
  line: (text: string) => Promise<boolean>;
  note: (text: string) => void;
}

/** Prints an audit log page by page. One that fails also notes how far it is, so that the next one continues there. */
export const exportLines = async (
  read: (input: Exporting) => Promise<ReplyOf<typeof exportAudit>>,
  input: Exporting,
  { line, note }: Sink,
): Promise<void> => {
  let { cursor } = input;
  try {
    for (let hasMore = true; hasMore; ) {
      const page = await read({ ...input, cursor });
      for (const entry of page.data) if (!(await line(JSON.stringify(entry)))) return;
      cursor = page.next_cursor ?? undefined;
      hasMore = page.has_more;
    }
  } finally {
    if (cursor !== undefined) note(`--cursor ${cursor}`);
  }
};

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
      // The cursor on standard error, apart from the lines.
      const sink = { line: print, note: (text: string) => console.error(text) };
      return asOperator((rpc, newCall) =>
        exportLines((page) => rpc.call(exportAudit, page, newCall()), input, sink),
      );
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
