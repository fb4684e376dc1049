import { getMaintenance, setMaintenance } from '@stanza/contracts';
import { Command } from 'commander';
import { checked, printCall } from './operator.ts';

const set = (on: boolean, told: { message?: string; retryAfter?: number } = {}): Promise<void> => {
  const input = checked(setMaintenance.input, { on, message: told.message, retry_after: told.retryAfter });
  return printCall((rpc, context) => rpc.call(setMaintenance, input, context));
};

/** `npm run admin -- maintenance …`: closes the API of every gateway, and opens it again. */
export const maintenance = (): Command => {
  const group = new Command('maintenance').description('close the API of every gateway, and open it again');
  group
    .command('on')
    .description(
      'answer every request but public ones with 503 maintenance, within a second and after restarts',
    )
    .option('--message <text>', 'message for callers')
    .option('--retry-after <seconds>', 'seconds until a retry; default: 60', Number)
    .action((told) => set(true, told));
  group
    .command('off')
    .description('open the API again')
    .action(() => set(false));
  group
    .command('status')
    .description('show whether it is closed, since when, and the message for callers')
    .action(() => printCall((rpc, context) => rpc.call(getMaintenance, {}, context)));
  return group;
};
