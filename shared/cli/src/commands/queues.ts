import type { Queue } from '@stanza/sdk';
import type { Setting } from '../setting.ts';
import { table } from '../show/table.ts';
import type { AddCommand } from './command.ts';

const targetOf = (queue: Queue): string =>
  queue.channel_id ?? queue.recipient_email ?? queue.recipient_chat_id ?? queue.destination_id ?? '';

const closesOf = (queue: Queue): string =>
  queue.mode === 'fixed_volume' ? `after ${queue.threshold} events` : `after ${queue.window_seconds} s`;

const list = async (setting: Setting): Promise<void> => {
  const stanza = await setting.stanza();
  const queues: Queue[] = [];
  for await (const queue of stanza.queues.list()) queues.push(queue);
  setting.show({ queues }, () =>
    queues.length === 0
      ? 'no queues'
      : table(
          ['key', 'name', 'closes', 'to', 'state'],
          queues.map((it) => [it.key, it.name, closesOf(it), targetOf(it), it.is_active ? 'active' : 'off']),
          setting.terminal.columns,
        ).join('\n'),
  );
};

/** `stanza queues`. */
export const addQueues: AddCommand = (program, setting) =>
  program
    .command('queues')
    .description('list the queues, when they close, and where their digests go')
    .action(() => list(setting()));
