import { describe, expect, it } from '@jest/globals';
import { CodedError, limits, renderModal } from '@stanza/contracts';
import { LostLease, newContext, Tenant } from '@stanza/runtime';
import { until } from '@stanza/runtime/testing/wait';
import { sharedByTests } from '@stanza/test-kit/shared';
import { walked } from '@stanza/test-kit/walked';
import type { Dependencies } from '../dependencies.ts';
import { resolve } from '../messages/settle.ts';
import { getMessage } from '../operations/get-message.ts';
import { receiveInteraction } from '../operations/receive-interaction.ts';
import { updateMessage } from '../operations/update-message.ts';
import { newDestination } from '../testing/deliveries.ts';
import {
  deliver,
  type InteractiveMessage,
  idOf,
  interactionsOf,
  openModals,
  pageOfInteractions,
  pressed,
  runDue,
  sendInteractive,
  shows,
  signed,
  submitted,
} from '../testing/interactions.ts';
import { anotherProcess, ask, connected, openWorld, refusalOf } from '../testing/world.ts';
import { interactivity } from './dependencies.ts';
import { endOpeningsLeft } from './jobs/interaction-actions.ts';
import { runAction } from './run-action.ts';
import {
  claimActions,
  dueActors,
  endAction,
  markActionApplied,
  postponeAction,
} from './store/interaction-actions.ts';

const modal = idOf('modal');
const openModal = { type: 'open_modal', modal_id: modal, data: { order: 'A-1' } };
const update = (strategy: string, text: string, more: object = {}) => ({
  type: 'update_message',
  strategy,
  blocks: [shows(text)],
  ...more,
});
const call = (destination_id: string, payload?: object) => ({
  type: 'call_destination',
  destination_id,
  ...(payload && { payload }),
});

const world = sharedByTests(openWorld);

/** Another process of the service, this many milliseconds ahead. */
const later = (milliseconds: number) => {
  const process = anotherProcess(world());
  process.clock.jump(milliseconds);
  return process;
};

/** What the message shows: the text of each section, and the kind of every other block. */
const shownBy = async ({ channel }: InteractiveMessage): Promise<unknown[]> => {
  const [message] = await world().postsIn(channel);
  return (message?.blocks ?? []).map((block) => {
    const { type, text } = JSON.parse(JSON.stringify(block));
    return text?.text ?? type;
  });
};

/** The chat of a process that is frozen after the platform has taken an update. */
const frozenChat = ({ chat }: Dependencies) => {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: resume } = Promise.withResolvers<void>();
  const call: Dependencies['chat']['call'] = async (asked) => {
    const answer = await chat.call(asked);
    arrive();
    await released;
    return answer;
  };
  return { chat: { ...chat, call }, reached, resume };
};

const editsOf = async ({ channel }: InteractiveMessage): Promise<number | undefined> =>
  (await world().postsIn(channel))[0]?.edits;

/** Claims what is due, as a process does that dies or freezes afterwards. */
const claimDue = async () =>
  claimActions(world().database, 20_000, {
    places: 10,
    share: 10,
    underWay: new Map(),
    organizations: await dueActors().find(world().database),
  });

const only = <T>(items: readonly T[]): T => {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0) throw new Error(`${items.length} instead of one`);
  return item;
};

describe('a request of the chat platform', () => {
  it('is refused without a valid signature, and does nothing', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'x')] } });
    const payload = await pressed(world(), message, 'go');
    const handler = receiveInteraction({ ...interactivity(world()), signingSecret: 'another' });
    const refused = await refusalOf(ask(handler, signed(payload, world().clock.now())));
    expect(refused).toMatchObject({ code: 'invalid_signature', status: 401 });
    expect(await interactionsOf(world(), message.principal)).toEqual([]);
  });

  it('is refused when it comes again after five minutes', async () => {
    const message = await sendInteractive(world(), { go: { actions: [] } });
    const old = new Date(world().clock.now().getTime() - 301_000);
    const handler = receiveInteraction({ ...interactivity(world()), signingSecret: 'secret' });
    const replay = signed(await pressed(world(), message, 'go'), old, 'secret');
    expect(await refusalOf(ask(handler, replay))).toMatchObject({ code: 'invalid_signature' });
  });

  it('cannot be verified where no secret is configured', async () => {
    const handler = receiveInteraction({ ...interactivity(world()), signingSecret: undefined });
    const refused = await refusalOf(ask(handler, signed({ type: 'block_actions' }, world().clock.now())));
    expect(refused).toMatchObject({ code: 'misconfigured' });
  });

  it('is accepted and does nothing when it concerns no message of this service, or one in another workspace', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'x')] } });
    const payload = await pressed(world(), message, 'go');
    expect(await deliver(world(), { ...payload, team: { id: 'TOTHER' } })).toEqual({});
    expect(
      await deliver(world(), { ...payload, container: { channel_id: 'C0GENERAL', message_ts: message.ts } }),
    ).toEqual({});
    expect(await deliver(world(), { type: 'shortcut' })).toEqual({});
    expect(await interactionsOf(world(), message.principal)).toEqual([]);
  });
});

describe('a click', () => {
  it('opens its modal before the answer, and bears the message and the person', async () => {
    const message = await sendInteractive(world(), { go: { actions: [openModal] } });
    expect(await deliver(world(), await pressed(world(), message, 'go', 'U0GRACE'))).toEqual({});
    expect(only(await openModals(world(), message)).title.text).toBe('Step 1');
    expect(only(await interactionsOf(world(), message.principal))).toMatchObject({
      kind: 'block_actions',
      status: 'done',
      user_id: 'U0GRACE',
      message_id: message.id,
      action_id: 'go',
      value: 'yes',
      actions: [{ type: 'open_modal', status: 'done', modal_id: modal, step: 0 }],
    });
    const asked = world().others.calls.findLast((it) => it.operation === renderModal.id);
    expect(asked?.input).toMatchObject({
      organization_id: message.principal.organization_id,
      data: { order: 'A-1', interaction: { user: { id: 'U0GRACE' }, message: { id: message.id } } },
    });
  });

  it('is handled once, however often and wherever it is delivered', async () => {
    const message = await sendInteractive(world(), {
      go: { actions: [update('append', 'Approved'), openModal] },
    });
    const payload = await pressed(world(), message, 'go');
    const other = anotherProcess(world());
    await Promise.all(Array.from({ length: 10 }, (_, at) => deliver(at % 2 ? world() : other, payload)));
    await Promise.all([runDue(world()), runDue(other)]);
    await deliver(other, payload);
    await runDue(world());
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Approved']);
    expect(await editsOf(message)).toBe(1);
    expect(await openModals(world(), message)).toHaveLength(1);
    expect(await interactionsOf(world(), message.principal)).toHaveLength(1);
    await other.chat.close();
  });

  it('is listed once by the cursor while others come', async () => {
    const message = await sendInteractive(world(), { go: { actions: [openModal] } });
    const click = async () => deliver(world(), await pressed(world(), message, 'elsewhere'));
    for (let count = 0; count < 3; count += 1) await click();
    const newest = await interactionsOf(world(), message.principal);
    expect(newest).toHaveLength(3);
    const listed = (query: object) => pageOfInteractions(world(), message.principal, query);
    expect(await walked(listed, click)).toEqual(newest);
  });

  it('A page of interactions ends before it has more than a call carries, and the next one continues', async () => {
    const message = await sendInteractive(world(), { go: { actions: [openModal] } });
    const entered = { type: 'plain_text_input', value: 'x'.repeat(limits.pageBytes / 3) };
    for (let count = 0; count < 4; count += 1) {
      const click = await pressed(world(), message, 'elsewhere');
      await deliver(world(), { ...click, state: { values: { input: { entered } } } });
    }
    const page = await pageOfInteractions(world(), message.principal, {});
    const { data, pagination, next_cursor: cursor } = page;
    expect([data.length, pagination.limit]).toEqual([3, 3]);
    const { data: rest, next_cursor } = await pageOfInteractions(world(), message.principal, { cursor });
    expect([rest.length, next_cursor]).toEqual([1, null]);
  });

  it('of an element without an action is recorded', async () => {
    const message = await sendInteractive(world(), { go: { actions: [openModal] } });
    await deliver(world(), await pressed(world(), message, 'elsewhere'));
    expect(only(await interactionsOf(world(), message.principal))).toMatchObject({
      status: 'done',
      action_id: 'elsewhere',
      actions: [],
    });
  });

  it('records why its modal could not be opened', async () => {
    const message = await sendInteractive(world(), { go: { actions: [openModal] } });
    world().others.answers.failing.set(renderModal.id, new CodedError('not_found'));
    await deliver(world(), await pressed(world(), message, 'go'));
    world().others.answers.failing.delete(renderModal.id);
    const payload = await pressed(world(), message, 'go');
    await world().misbehave({ method: 'views.open', mode: 'error', value: 'invalid_arguments', times: 1 });
    await deliver(world(), payload);
    const [refused, missing] = await interactionsOf(world(), message.principal);
    expect(missing?.actions).toMatchObject([
      {
        status: 'failed',
        error: 'modal_not_found',
        modal_id: modal,
        error_details: expect.stringContaining('The production environment has no modal of this id'),
      },
    ]);
    expect(refused).toMatchObject({
      status: 'failed',
      actions: [{ error: 'chat_api_error', error_details: '"invalid_arguments"' }],
    });
  });

  it.each(['refund', '', '{{form}}', 'x'.repeat(300), '00000000-0000-0000-0000-00000000000g'])(
    'records that there is no modal where its id is none: %j',
    async (modal_id) => {
      const message = await sendInteractive(world(), { go: { actions: [{ ...openModal, modal_id }] } });
      expect(await deliver(world(), await pressed(world(), message, 'go'))).toEqual({});
      const { status, actions } = only(await interactionsOf(world(), message.principal));
      expect(status).toBe('failed');
      expect(only(actions)).toMatchObject({ error: 'modal_not_found' });
      expect(only(actions).error_details).toContain('what the action gives as `modal_id` is no id');
      expect(only(actions)).not.toHaveProperty('modal_id');
    },
  );

  it.each(['hook', '{{hook}}', idOf('a destination that is not there')])(
    'records that there is no destination of this id: %j',
    async (id) => {
      const message = await sendInteractive(world(), { go: { actions: [call(id), call(id, { a: 1 })] } });
      await deliver(world(), await pressed(world(), message, 'go'));
      await runDue(world());
      const { actions } = only(await interactionsOf(world(), message.principal));
      const missing = {
        status: 'failed',
        error: 'not_found',
        error_details: 'There is no such destination in this environment.',
      };
      expect(actions).toMatchObject([missing, missing]);
    },
  );

  it('whose process died while it opened the modal has an unknown outcome', async () => {
    const message = await sendInteractive(world(), { go: { actions: [openModal] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    await world().rows("update interaction_actions set status = 'waiting', ended_at = null");
    await endOpeningsLeft(interactivity(world()));
    expect(only(await interactionsOf(world(), message.principal)).status).toBe('open');
    await endOpeningsLeft(interactivity(later(11_000)));
    expect(only(await interactionsOf(world(), message.principal)).actions).toMatchObject([
      { status: 'unknown', error: 'delivery_outcome_unknown' },
    ]);
  });
});

describe('an update of the message', () => {
  it.each([
    ['replace_all', {}, ['New']],
    ['replace_self', {}, ['Order A-1', 'New']],
    ['append', {}, ['Order A-1', 'actions', 'New']],
    ['replace_block', { block_id: 'headline' }, ['New', 'actions']],
  ])('places its blocks by the strategy %s', async (strategy, more, blocks) => {
    const message = await sendInteractive(world(), { go: { actions: [update(strategy, 'New', more)] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    await runDue(world());
    expect(await shownBy(message)).toEqual(blocks);
    const [post] = await world().postsIn(message.channel);
    expect(post?.key).toBe(message.id);
    expect(Object.hasOwn(post?.metadata?.event_payload ?? {}, 'actions')).toBe(
      strategy === 'append' || strategy === 'replace_block',
    );
  });

  it('builds on those before it, though clicks have seen an older message', async () => {
    const message = await sendInteractive(world(), {
      one: { actions: [update('append', 'One')] },
      two: { actions: [update('append', 'Two')] },
    });
    const clicks = [await pressed(world(), message, 'one'), await pressed(world(), message, 'two')];
    await Promise.all(clicks.map((payload) => deliver(world(), payload)));
    const other = anotherProcess(world());
    await Promise.all([runDue(world()), runDue(other)]);
    await runDue(world());
    expect((await shownBy(message)).toSorted()).toEqual(['One', 'Order A-1', 'Two', 'actions']);
    await other.chat.close();
  });

  it('whose process dies before anything is done is done by another', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Late')] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    await claimDue();
    await runDue(world());
    expect(await editsOf(message)).toBe(0);
    await runDue(later(21_000));
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Late']);
  });

  it('whose process was frozen beyond its lease is written by the process that has claimed it since', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Once')] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    const claimed = await claimDue();
    const frozen = only(claimed.filter((it) => it.message_id === message.id));
    const other = later(21_000);
    const frozenToo = frozenChat(other);
    const running = runDue({ ...other, chat: frozenToo.chat });
    await frozenToo.reached;
    const tenant = Tenant.of(message.principal);
    await expect(postponeAction(tenant, world().database, frozen, 0, 'rate_limited')).rejects.toThrow(
      LostLease,
    );
    await expect(markActionApplied(tenant, world().database, frozen)).rejects.toThrow(LostLease);
    expect(await endAction(tenant, world().database, frozen, { status: 'failed', error: 'not_found' })).toBe(
      false,
    );
    await runAction(interactivity(world()), frozen).catch((error: unknown) => {
      if (!(error instanceof LostLease)) throw error;
    });
    frozenToo.resume();
    await running;
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Once']);
    expect(only(await interactionsOf(world(), message.principal)).status).toBe('done');
    await other.chat.close();
  });

  it.each(['reset_after', 'reset_before'])('is made once when the platform answers with %s', async (mode) => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Once')] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    await world().misbehave({ method: 'chat.update', mode, channel: message.channel, times: 1 });
    await runDue(world());
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Once']);
    expect(only(await interactionsOf(world(), message.principal)).status).toBe('done');
  });

  it('that was posted by the last try, whose answer is lost, has an unknown outcome', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Last')] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    await world().rows(
      `update interaction_actions
       set tries = 60
       where organization_id = $1
       returning 1`,
      [message.principal.organization_id],
    );
    const { channel } = message;
    await world().misbehave({ method: 'chat.update', mode: 'reset_after', channel, times: 6 });
    const unread = { method: 'conversations.history', mode: 'error', value: 'missing_scope' };
    await world().misbehave({ ...unread, channel, times: 1 });
    await runDue(world());
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Last']);
    expect(only(await interactionsOf(world(), message.principal)).actions).toMatchObject([
      { status: 'unknown', error: 'service_unavailable' },
    ]);
  });

  it('is a revision of the message, and fails behind an update that replaced what was clicked', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Clicked')] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    await runDue(world());
    expect(await world().postsIn(message.channel)).toMatchObject([
      { edits: 1, metadata: { event_payload: { key: message.id, revision: 2 } } },
    ]);
    const { principal, id } = message;
    const read = () => ask(getMessage(world()), { params: { id } }, principal);
    expect(await read()).toMatchObject({
      revision: 2,
      revisions: [{ kind: 'post' }, { kind: 'interaction', status: 'sent', revision: 2 }],
    });
    await world().misbehave({
      method: 'chat.update',
      channel: message.channel,
      mode: 'latency',
      value: 300,
      times: 1,
    });
    await deliver(world(), await pressed(world(), message, 'go'));
    const context = newContext({ deadlineMs: 15_000, principal });
    const body = { data: {}, version: 'same' as const };
    const updated = ask(updateMessage(world()), { params: { id }, body }, principal, context);
    await until(async () => (await read()).revisions.length === 3);
    await runDue(world());
    await updated;
    // The update replaced what the click was made on.
    expect((await read()).revisions).toMatchObject([
      { kind: 'post', revision: 1, status: 'sent' },
      { kind: 'interaction', revision: 2, status: 'sent' },
      { kind: 'update', revision: 3, status: 'sent' },
      { kind: 'interaction', revision: 4, status: 'failed', error: 'not_found' },
    ]);
    expect(await shownBy(message)).toEqual(['Version 1.4.2 is live']);
  });

  it('fails where an update has replaced what was clicked before the click came', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Clicked')] } });
    const { principal, id } = message;
    const late = await pressed(world(), message, 'go');
    const body = { data: {}, version: 'same' as const };
    const context = newContext({ deadlineMs: 15_000, principal });
    await ask(updateMessage(world()), { params: { id }, body }, principal, context);
    await deliver(world(), late);
    await runDue(world());
    expect(await shownBy(message)).toEqual(['Version 1.4.2 is live']);
    expect(only(await interactionsOf(world(), principal)).actions).toMatchObject([
      { status: 'failed', error: 'not_found' },
    ]);
  });

  it('waits for an update whose outcome is unknown, which the platform may still work off', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Clicked')] } });
    const { principal, id, channel } = message;
    await world().misbehave({ method: 'chat.update', channel, mode: 'reset_before', times: 6 });
    const body = { data: {}, version: 'same' as const };
    const context = newContext({ deadlineMs: 15_000, principal });
    const lost = ask(updateMessage(world()), { params: { id }, body }, principal, context);
    expect(await refusalOf(lost)).toMatchObject({ code: 'delivery_outcome_unknown' });
    const clicked = async () => {
      const { revisions } = await ask(getMessage(world()), { params: { id } }, principal);
      return revisions.find(({ kind }) => kind === 'interaction');
    };
    const process = later(0);
    await deliver(process, await pressed(world(), message, 'go'));
    const running = runDue(process);
    await until(async () => (await clicked()) !== undefined);
    process.clock.jump(8_000);
    await running;
    expect(await clicked()).toMatchObject({ status: 'failed' });
    expect(await editsOf(message)).toBe(0);
    process.clock.jump(60_000);
    await runDue(process);
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Clicked']);
    await process.chat.close();
  });

  it('fails where a look-up finds that an unknown update has replaced what was clicked', async () => {
    const message = await sendInteractive(world(), { go: { actions: [update('append', 'Clicked')] } });
    const { principal, id, ts } = message;
    const click = await pressed(world(), message, 'go');
    const body = { data: {}, version: 'same' as const };
    const context = newContext({ deadlineMs: 15_000, principal });
    await ask(updateMessage(world()), { params: { id }, body }, principal, context);
    const [change] = await world().rows<{ id: string }>(
      "update messages set status = 'unknown', charged = false where revises = $1 returning id",
      [id],
    );
    await world().rows('update messages set revision = 1 where id = $1', [id]);
    await deliver(world(), click);
    await resolve(world(), Tenant.of(principal), change?.id ?? '', ts);
    await runDue(world());
    expect(await shownBy(message)).toEqual(['Version 1.4.2 is live']);
    expect(only(await interactionsOf(world(), principal)).status).toBe('failed');
  });

  it('runs before the actions behind it, also where it has to be tried again', async () => {
    const principal = await connected(world());
    const { id } = await newDestination(world(), principal, { name: 'Orders' });
    const go = { actions: [update('append', 'On its way'), call(id)] };
    const message = await sendInteractive(world(), { go }, principal);
    await deliver(world(), await pressed(world(), message, 'go'));
    const { channel } = message;
    await world().misbehave({ method: 'chat.update', mode: 'rate_limited', value: 30, channel, times: 1 });
    await runDue(world());
    const statuses = async () =>
      only(await interactionsOf(world(), principal)).actions.map(({ status }) => status);
    expect(await statuses()).toEqual(['waiting', 'waiting']);
    const process = later(60_000);
    await runDue(process);
    await runDue(process);
    expect(await statuses()).toEqual(['done', 'done']);
  });

  it('that is refused has failed, with the reason', async () => {
    const message = await sendInteractive(world(), {
      go: { actions: [update('replace_block', 'x', { block_id: 'gone' }), update('append', 'y')] },
    });
    await deliver(world(), await pressed(world(), message, 'go'));
    await world().misbehave({
      method: 'chat.update',
      mode: 'error',
      value: 'cant_update_message',
      channel: message.channel,
    });
    await runDue(world());
    await runDue(world());
    expect(only(await interactionsOf(world(), message.principal))).toMatchObject({
      status: 'failed',
      actions: [
        { status: 'failed', error: 'invalid_state' },
        { status: 'failed', error: 'invalid_state', error_details: '"cant_update_message"' },
      ],
    });
  });

  it('that is refused is in no later update, which builds on what the message shows', async () => {
    const message = await sendInteractive(world(), {
      bad: { actions: [update('append', 'Refused')] },
      good: { actions: [update('append', 'Good')] },
    });
    const { channel } = message;
    const refusal = { method: 'chat.update', mode: 'error', value: 'invalid_blocks', channel, times: 1 };
    await world().misbehave(refusal);
    await deliver(world(), await pressed(world(), message, 'bad'));
    await runDue(world());
    expect(only(await interactionsOf(world(), message.principal)).status).toBe('failed');
    await deliver(world(), await pressed(world(), message, 'good'));
    await runDue(world());
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Good']);
  });
});

describe('the submission of a modal', () => {
  const open = async (actions: object[]) => {
    const principal = await connected(world());
    const { id } = await newDestination(world(), principal, { name: 'Orders' });
    const list = actions.map((action) => ({ ...action }));
    const message = await sendInteractive(
      world(),
      { go: { actions: [openModal, ...list, call(id)] } },
      principal,
    );
    await deliver(world(), await pressed(world(), message, 'go'));
    return { message, view: only(await openModals(world(), message)), destination: id };
  };
  const deliveriesTo = (destination: string) =>
    world().rows<{ id: string; payload: string }>(
      'select id, payload from deliveries where destination_id = $1',
      [destination],
    );

  it('runs the actions that waited for it once, with the entered values', async () => {
    const { message, view, destination } = await open([update('append', 'Thanks')]);
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions']);
    const payload = await submitted(world(), view, { why: 'late' });
    const other = anotherProcess(world());
    const answers = await Promise.all([deliver(world(), payload), deliver(other, payload)]);
    expect(answers).toEqual([{}, {}]);
    await Promise.all([runDue(world()), runDue(other)]);
    expect(await shownBy(message)).toEqual(['Order A-1', 'actions', 'Thanks']);
    const delivery = only(await deliveriesTo(destination));
    expect(JSON.parse(delivery.payload)).toMatchObject({
      form: { why: 'late' },
      user: { id: 'U0ADA' },
      message: { id: message.id },
    });
    const [submission, click] = await interactionsOf(world(), message.principal);
    expect(submission).toMatchObject({
      kind: 'view_submission',
      status: 'done',
      opened_by: click?.id,
      form: { why: 'late' },
      actions: [
        { type: 'update_message', status: 'done', strategy: 'append' },
        { type: 'call_destination', destination_id: destination, delivery_id: delivery.id },
      ],
    });
    await other.chat.close();
  });

  it('shows the next step in place of the one before, and carries the values over', async () => {
    world().others.answers.modalSteps = 2;
    const { message, view, destination } = await open([]);
    const payload = await submitted(world(), view, { why: 'late' });
    const next = await deliver(world(), payload);
    expect(next).toMatchObject({ response_action: 'update', view: { title: { text: 'Step 2' } } });
    expect(await deliver(world(), payload)).toEqual(next);
    expect(await deliveriesTo(destination)).toEqual([]);
    const asked = world().others.calls.findLast((it) => it.operation === renderModal.id);
    expect(asked?.input).toMatchObject({
      version_id: world().others.answers.modalVersion,
      step: 1,
      data: { interaction: { form: { why: 'late' } } },
    });
    const { private_metadata } = next.view ?? {};
    const last = await submitted(world(), view, { how: 'fast' });
    const second = { ...Object(last.view), private_metadata, hash: 'second' };
    expect(await deliver(world(), { ...last, view: second })).toEqual({});
    world().others.answers.modalSteps = 1;
    await runDue(world());
    expect(JSON.parse(only(await deliveriesTo(destination)).payload)).toMatchObject({
      form: { why: 'late', how: 'fast' },
    });
    expect(await interactionsOf(world(), message.principal)).toHaveLength(3);
  });

  it('A submission is refused while its next step cannot be made, and shows the step once it can', async () => {
    world().others.answers.modalSteps = 2;
    const { message, view } = await open([]);
    world().others.answers.failing.set(renderModal.id, new CodedError('service_unavailable'));
    const payload = await submitted(world(), view, { why: 'late' });
    expect(await refusalOf(deliver(world(), payload))).toMatchObject({ code: 'service_unavailable' });
    world().others.answers.failing.delete(renderModal.id);
    const newest = async () => (await interactionsOf(world(), message.principal))[0];
    expect(await newest()).toMatchObject({ actions: [{ status: 'failed', error: 'service_unavailable' }] });
    const again = await submitted(world(), view, { why: 'broken' });
    const { hash } = Object(payload.view);
    const answer = await deliver(world(), { ...again, view: { ...Object(again.view), hash } });
    world().others.answers.modalSteps = 1;
    expect(answer).toMatchObject({ response_action: 'update', view: { title: { text: 'Step 2' } } });
    expect(await deliver(world(), payload)).toEqual(answer);
    expect(await newest()).toMatchObject({
      form: { why: 'broken' },
      status: 'done',
      actions: [{ status: 'done' }],
    });
  });

  it('keeps its state far within what a view may carry', async () => {
    const { view } = await open([]);
    expect(view.private_metadata.length).toBeLessThan(300);
  });

  it('is accepted and does nothing when its state is not of this service, or of another workspace', async () => {
    const { message, view, destination } = await open([]);
    const payload = await submitted(world(), view, { why: 'x' });
    expect(await deliver(world(), { ...payload, team: { id: 'TOTHER' } })).toEqual({});
    const foreign = view.private_metadata.replace(message.principal.organization_id, idOf('another'));
    const forged = { ...Object(payload.view), private_metadata: foreign };
    expect(await deliver(world(), { ...payload, view: forged })).toEqual({});
    await runDue(world());
    expect(await deliveriesTo(destination)).toEqual([]);
    expect(await interactionsOf(world(), message.principal)).toHaveLength(1);
  });

  it('fails for a destination of another environment as for one that does not exist', async () => {
    const mine = await connected(world());
    const theirs = await newDestination(world(), await connected(world()), { name: 'Theirs' });
    const actions = [call(theirs.id, { a: 1 }), call(idOf('nothing'), { a: 1 })];
    const message = await sendInteractive(world(), { go: { actions } }, mine);
    await deliver(world(), await pressed(world(), message, 'go'));
    await runDue(world());
    const { actions: ends } = only(await interactionsOf(world(), mine));
    expect(ends).toMatchObject([
      { status: 'failed', error: 'not_found' },
      { status: 'failed', error: 'not_found' },
    ]);
    expect(await deliveriesTo(theirs.id)).toEqual([]);
  });
});

describe('the list of interactions', () => {
  it('is that of one environment alone', async () => {
    const message = await sendInteractive(world(), { go: { actions: [] } });
    await deliver(world(), await pressed(world(), message, 'go'));
    const preview = { ...message.principal, environment: 'preview' as const };
    expect(await interactionsOf(world(), message.principal)).toHaveLength(1);
    expect(await interactionsOf(world(), preview)).toEqual([]);
    expect(await interactionsOf(world(), await connected(world()))).toEqual([]);
  });
});
