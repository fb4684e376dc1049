import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Principal,
  renderInteraction,
  renderModal,
  renderTemplate,
  renderTest,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { putChatConnection } from '../operations/put-chat-connection.ts';
import { replaceTestTargets } from '../operations/replace-test-targets.ts';
import { testSendBlocks } from '../operations/test-send-blocks.ts';
import { deliver, pressed, runDue, sendInteractive, shows } from '../testing/interactions.ts';
import {
  anotherProcess,
  ask,
  connected,
  newChannel,
  openWorld,
  rowsOf,
  send,
  sendToMany,
  type World,
} from '../testing/world.ts';

const ada = 'ada@example.com';
const nobody = 'nobody@example.com';

/** Another process connects another workspace, and the app is removed from the one before. */
const replaceWorkspace = async (world: World, { organization_id, environment }: Principal): Promise<void> => {
  const [before] = await world.rows<{ workspace_id: string }>(
    'select workspace_id from chat_connections where organization_id = $1',
    [organization_id],
  );
  const bot_token = `xoxb-sandbox-${organization_id}-2`;
  await ask(putChatConnection(anotherProcess(world)), { organization_id, environment, bot_token });
  await fetch(`${world.sandbox.url}/control/revocations`, {
    method: 'POST',
    body: JSON.stringify({ workspace: before?.workspace_id }),
  });
};

describe('people whom a message mentions by e-mail', () => {
  const world = sharedByTests(openWorld);
  const mention = (...emails: string[]): void => {
    world().others.answers.mentions = emails;
  };
  afterEach(() => mention());

  /** The look-ups that have reached the platform. */
  const lookUps = async (): Promise<number> => {
    const response = await fetch(`${world().sandbox.url}/control/calls`);
    const calls = z.array(z.object({ method: z.string() })).parse(await response.json());
    return calls.filter(({ method }) => method === 'users.lookupByEmail').length;
  };

  /** The inputs of the compiles of an operation. */
  const compiles = (operation: { id: string }, since: number) =>
    world()
      .others.calls.slice(since)
      .filter((call) => call.operation === operation.id);

  const since = () => world().others.calls.length;

  it('are looked up once, and the message is compiled again with them, found or not', async () => {
    const principal = await connected(world());
    mention(ada, nobody);
    const [from, before] = [since(), await lookUps()];
    const { warnings } = await send(world(), principal);
    expect(warnings).toEqual(['author: no value', JSON.stringify({ [ada]: 'U0ADA', [nobody]: null })]);
    expect(compiles(renderTemplate, from)).toMatchObject([
      { input: expect.not.objectContaining({ people: expect.anything() }) },
      { input: { people: { [ada]: 'U0ADA', [nobody]: null } } },
    ]);
    expect(await lookUps()).toBe(before + 2);
    await send(world(), principal);
    expect(await lookUps()).toBe(before + 2);
    const [row] = await rowsOf(world(), principal);
    expect(row?.attempts.map(({ method }) => method)).toEqual(['chat.postMessage']);
  });

  it('cost nothing where a message mentions none', async () => {
    const principal = await connected(world());
    const [from, before] = [since(), await lookUps()];
    await send(world(), principal);
    expect(compiles(renderTemplate, from)).toHaveLength(1);
    expect(await lookUps()).toBe(before);
  });

  it('are looked up once for all recipients of a bulk send', async () => {
    const principal = await connected(world());
    mention(ada, 'grace@example.com');
    const [from, before] = [since(), await lookUps()];
    const destinations = Array.from({ length: 5 }, () => ({ channel_id: newChannel() }));
    const reply = await sendToMany(world(), principal, { destinations });
    expect(reply).toMatchObject({
      total_sent: 5,
      warnings: [expect.anything(), expect.stringContaining('U0GRACE')],
    });
    expect(compiles(renderTemplate, from)).toHaveLength(2);
    expect(await lookUps()).toBe(before + 2);
  });

  it('Mentions are looked up in the workspace that another process has connected in place of a cached one', async () => {
    const principal = await connected(world());
    mention('linus@example.com');
    await send(world(), principal);
    await replaceWorkspace(world(), principal);
    mention(ada);
    const { warnings } = await send(world(), principal);
    expect(warnings).toEqual(['author: no value', JSON.stringify({ [ada]: 'U0ADA' })]);
  });

  it('are looked up for a test send', async () => {
    const principal = await connected(world());
    const channel_id = newChannel();
    await ask(replaceTestTargets(world()), { body: { targets: [{ channel_id }] } }, principal);
    mention(ada);
    const from = since();
    const body = { blocks: [shows('A draft')], data: {}, channel_id };
    const { warnings } = await ask(testSendBlocks(world()), { body }, principal);
    expect(warnings).toContain(JSON.stringify({ [ada]: 'U0ADA' }));
    expect(compiles(renderTest, from)).toHaveLength(2);
  });

  it('are looked up where an interaction opens a modal and updates the message', async () => {
    const update = { type: 'update_message', strategy: 'append', blocks: [shows('Approved')] };
    const opening = { type: 'open_modal', modal_id: uuidv7(), data: {} };
    const message = await sendInteractive(world(), { go: { actions: [update, opening] } });
    mention(ada);
    const [from, before] = [since(), await lookUps()];
    await deliver(world(), await pressed(world(), message, 'go'));
    expect(compiles(renderModal, from)).toMatchObject([{}, { input: { people: { [ada]: 'U0ADA' } } }]);
    await runDue(world());
    expect(compiles(renderInteraction, from).at(-1)).toMatchObject({ input: { people: { [ada]: 'U0ADA' } } });
    expect(await lookUps()).toBe(before + 1);
  });

  it.each([
    [{ mode: 'error', value: 'missing_scope' }, 'the app lacks the scope `users:read.email`'],
    [{ mode: 'rate_limited', value: 60 }, 'the platform limits look-ups at the moment'],
  ])(
    'do not keep a message back where look-ups fail with %j, and a warning says why',
    async (fault, reason) => {
      const principal = await connected(world());
      mention('linus@example.com');
      await world().misbehave({ method: 'users.lookupByEmail', times: 1, ...fault });
      const { success, warnings } = await send(world(), principal);
      expect({ success, warnings }).toEqual({
        success: true,
        warnings: [
          'author: no value',
          '{}',
          `Not everybody who is mentioned by e-mail could be looked up: ${reason}.`,
        ],
      });
    },
  );

  it('are not looked up for a minute after the platform has refused look-ups to the app', async () => {
    const principal = await connected(world());
    mention('user1601@example.com', 'user1602@example.com');
    await world().misbehave({
      method: 'users.lookupByEmail',
      mode: 'error',
      value: 'missing_scope',
      times: 2,
    });
    await send(world(), principal);
    const before = await lookUps();
    const { warnings } = await send(world(), principal);
    expect(await lookUps()).toBe(before);
    expect(warnings).toContainEqual(expect.stringContaining('users:read.email'));
  });

  it('leave half of the pace of look-ups to recipients by e-mail', async () => {
    const principal = await connected(world());
    await world().rows(
      `insert into method_slots (workspace_id, method, next_free_at)
       select workspace_id, 'users.lookupByEmail', clock_timestamp() + interval '180 seconds'
       from chat_connections
       where organization_id = $1`,
      [principal.organization_id],
    );
    mention('user1603@example.com');
    const sent = await send(world(), principal, { recipient_email: 'user1604@example.com' });
    expect(sent).toMatchObject({
      success: true,
      warnings: expect.arrayContaining([expect.stringContaining('limits look-ups at the moment')]),
    });
  });
});

describe('messages in the language of their recipients', () => {
  const world = sharedByTests(openWorld);
  const localesSince = (from: number) =>
    world()
      .others.calls.slice(from)
      .filter(({ operation }) => operation === renderTemplate.id)
      .map(({ input }) => z.object({ locale: z.string().optional() }).parse(input).locale);
  const inTheirs = { locale: 'recipient' };

  it('are compiled once for each language, and people are asked for once', async () => {
    const principal = await connected(world());
    const from = world().others.calls.length;
    const destinations = [
      { recipient_chat_id: 'U0LINUS' },
      { recipient_email: 'user1701@example.com' },
      { recipient_chat_id: 'U0HYPATIA' },
      { channel_id: newChannel() },
    ];
    expect(await sendToMany(world(), principal, { ...inTheirs, destinations })).toMatchObject({
      total_sent: 4,
    });
    expect(localesSince(from).sort()).toEqual(['ar-EG', 'de-DE', undefined]);
    await world().misbehave({ method: 'users.info', mode: 'error', value: 'missing_scope', times: 1 });
    const again = await send(world(), principal, { ...inTheirs, recipient_chat_id: 'U0LINUS' });
    expect(again.warnings).toEqual(['author: no value']);
    expect(localesSince(from).at(-1)).toBe('de-DE');
    const unknown = await send(world(), principal, { ...inTheirs, recipient_chat_id: 'U0ADA' });
    expect(unknown.warnings.at(-1)).toContain('could not be looked up (`chat_not_connected`)');
    expect(localesSince(from).at(-1)).toBeUndefined();
  });

  it('The language of a recipient is that in the workspace which another process has connected in place of a cached one', async () => {
    const principal = await connected(world());
    await send(world(), principal);
    await replaceWorkspace(world(), principal);
    const from = world().others.calls.length;
    const { warnings } = await send(world(), principal, { ...inTheirs, recipient_chat_id: 'U0LINUS' });
    expect(warnings).toEqual(['author: no value']);
    expect(localesSince(from)).toEqual(['de-DE']);
  });

  it('ask for nobody in a channel, or where the request names a language', async () => {
    const principal = await connected(world());
    const from = world().others.calls.length;
    await send(world(), principal, { ...inTheirs, channel_id: newChannel() });
    await send(world(), principal, { locale: 'de-CH', recipient_chat_id: 'U0GRACE' });
    expect(localesSince(from)).toEqual([undefined, 'de-CH']);
  });
});
