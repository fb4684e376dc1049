import type { Message, Stanza, StreamMessagesQuery } from '@stanza/sdk';
import { firstOf } from '../first-of.ts';
import { CommandProblem } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { table } from '../show/table.ts';
import { findTemplate } from '../templates/find-template.ts';
import type { AddCommand } from './command.ts';

interface Options {
  follow: boolean;
  status?: string;
  template?: string;
  sort?: string;
  limit: string;
}

const statuses = ['accepted', 'posting', 'sent', 'failed', 'unknown', 'deleted'] as const;

const isStatus = (word: string): word is (typeof statuses)[number] => statuses.some((it) => it === word);

const orders = ['created_at', '-created_at'] as const;

const orderOf = (word: string): (typeof orders)[number] => {
  const order = orders.find((it) => it === word);
  if (order !== undefined) return order;
  throw new CommandProblem(
    `${word} is no order.`,
    `There are ${orders.join(' and ')}, which is the newest first.`,
  );
};

const queryOf = async (
  stanza: Stanza,
  { status, template }: Options,
): Promise<Pick<StreamMessagesQuery, 'status' | 'template_id'>> => {
  if (status !== undefined && !isStatus(status))
    throw new CommandProblem(`${status} is no status.`, `There are ${statuses.join(', ')}.`);
  return {
    ...(status !== undefined && { status }),
    ...(template !== undefined && { template_id: (await findTemplate(stanza, template)).id }),
  };
};

const cellsOf = ({ created_at, status, channel, destination, id, error }: Message): string[] => [
  created_at,
  status,
  channel ?? destination.channel_id ?? destination.recipient_email ?? destination.recipient_chat_id ?? '',
  id,
  error ?? '',
];

const lineOf = (setting: Setting, message: Message): string => {
  if (setting.options.json) return JSON.stringify(message);
  const line = cellsOf(message).join('  ').trimEnd();
  const { good, bad } = setting.style;
  if (message.status === 'sent') return good(line);
  return message.status === 'failed' || message.status === 'unknown' ? bad(line) : line;
};

/** Prints each message when it comes and when its status changes, until it is interrupted. */
const follow = async (setting: Setting, stanza: Stanza, query: StreamMessagesQuery): Promise<void> => {
  const { signal, out, note } = setting.terminal;
  let isFollowing = false;
  const onOpen = () => {
    if (!isFollowing) note('following: interrupt to end');
    isFollowing = true;
  };
  try {
    for await (const message of stanza.messages.stream(query, { signal, onOpen }))
      out(lineOf(setting, message));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

const messages = async (setting: Setting, options: Options): Promise<void> => {
  const stanza = await setting.stanza();
  const query = await queryOf(stanza, options);
  const sort = options.sort === undefined ? undefined : orderOf(options.sort);
  if (options.follow && sort !== undefined)
    throw new CommandProblem('--follow has an order of its own.', 'Leave --sort out.');
  if (options.follow) return follow(setting, stanza, query);
  const data = await firstOf(options.limit, ({ limit }) =>
    stanza.messages.list({ ...query, ...(sort !== undefined && { sort }), limit }),
  );
  setting.show({ messages: data }, () =>
    data.length === 0
      ? 'no messages'
      : table(['made', 'status', 'to', 'message', 'error'], data.map(cellsOf), setting.terminal.columns).join(
          '\n',
        ),
  );
};

/** `stanza messages`. */
export const addMessages: AddCommand = (program, setting) =>
  program
    .command('messages')
    .description('list messages with their outcomes, or follow them')
    .option('--follow', 'print each as it comes, until interrupted', false)
    .option('--status <status>', statuses.join(', '))
    .option('--template <key>', 'of one template')
    .option('--sort <order>', `${orders.join(' or ')}, which is the newest first`)
    .option('--limit <count>', 'how many', '20')
    .action((options: Options) => messages(setting(), options));
