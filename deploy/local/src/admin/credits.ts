import { grantCredits, showCreditLog } from '@stanza/contracts';
import { Command } from 'commander';
import { v7 } from 'uuid';
import { checked, printCall } from './operator.ts';

/** `npm run admin -- credits …`: the grants and charges of an organization. */
export const credits = (): Command => {
  const group = new Command('credits').description('credit accounts');
  group
    .command('grant <organization-id> <amount>')
    .description('grant credits; a negative amount takes them away')
    .requiredOption('--reason <text>')
    .option('--grant-id <id>', 'a repeated grant of the same id is given once; default: a new one')
    .action((organization_id, amount, { reason, grantId }) => {
      const grant = { grant_id: grantId ?? v7(), amount: Number(amount), reason };
      const input = checked(grantCredits.input, { organization_id, ...grant });
      return printCall((rpc, context) => rpc.call(grantCredits, input, context));
    });
  group
    .command('log <organization-id>')
    .description('list grants, charges and reversals, newest first')
    .option('--kind <kind>', 'grant, charge, reversal or adjustment')
    .option('--operation <operation>', 'source of the charge: compile, send, send-bulk, batch or schedule')
    .option('--template-id <id>')
    .option('--key-id <id>', 'rows of this key or session')
    .option('--day <day>', 'one UTC day, like 2026-11-21')
    .option('--limit <number>', 'maximum number of rows', Number)
    .option('--offset <number>', 'rows to skip', Number)
    .action((organization_id, { templateId, keyId, ...equal }) => {
      const asked = { organization_id, template_id: templateId, key_id: keyId, ...equal };
      const input = checked(showCreditLog.input, asked);
      return printCall((rpc, context) => rpc.call(showCreditLog, input, context));
    });
  return group;
};
