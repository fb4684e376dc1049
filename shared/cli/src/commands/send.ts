import { CommandProblem } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { findTemplate, findVersion, versionNumber } from '../templates/find-template.ts';
import type { AddCommand } from './command.ts';
import { readData } from './preview.ts';

interface Options {
  channel?: string;
  email?: string;
  user?: string;
  data?: string;
  test: boolean;
  versionNumber?: string;
  idempotencyKey?: string;
}

const recipientOf = ({ channel, email, user }: Options) => {
  const given = [
    channel === undefined ? [] : [{ channel_id: channel }],
    email === undefined ? [] : [{ recipient_email: email }],
    user === undefined ? [] : [{ recipient_chat_id: user }],
  ].flat();
  const [recipient] = given;
  if (recipient && given.length === 1) return recipient;
  throw new CommandProblem(
    given.length === 0 ? 'The message has no recipient.' : 'The message has several recipients.',
    'Name one: --channel <id>, --email <address> or --user <id>.',
  );
};

const send = async (setting: Setting, key: string, options: Options): Promise<void> => {
  const stanza = await setting.stanza();
  const recipient = recipientOf(options);
  const data = options.data === undefined ? undefined : await readData(setting, options.data);
  const keyed = options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey };
  const body = { ...recipient, ...(data && { data }) };
  if (options.test) {
    const template = await findTemplate(stanza, key);
    const number = options.versionNumber;
    const version = await findVersion(
      stanza,
      template,
      number === undefined ? undefined : versionNumber(number),
    );
    const sent = await stanza.templates.versions.testSend(template.id, version.id, body, keyed);
    return setting.show(
      sent,
      () => `sent version ${version.version_number} of ${key} as a test: ${sent.message_id}`,
    );
  }
  if (options.versionNumber !== undefined)
    throw new CommandProblem('A send takes the live version.', 'Say --test to send another one.');
  await setting.confirm(`Sending ${key}`);
  const sent = await stanza.templates.send({ template_key: key, ...body }, keyed);
  setting.show(sent, () => `sent ${key}: ${sent.message_id}`);
};

/** `stanza send`. */
export const addSend: AddCommand = (program, setting) =>
  program
    .command('send')
    .description('send a template; with --test any version of it, to yourself or to a listed target')
    .argument('<key>', 'the template')
    .option('--channel <id>', 'a channel')
    .option('--email <address>', 'a person, by their address')
    .option('--user <id>', 'a person, by their id of the chat platform')
    .option('--data <file>', 'the data, - for the standard input; a test takes the sample data without it')
    .option('--test', 'as a test', false)
    .option('--version-number <number>', 'the version of a test; the newest without it')
    .option('--idempotency-key <key>', 'sends once for this key, however often you run it')
    .action((key: string, options: Options) => send(setting(), key, options));
