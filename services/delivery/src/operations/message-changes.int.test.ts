import { describe, expect, it } from '@jest/globals';
import {
  type InputOf,
  type Principal,
  renderTemplate,
  renderTest,
  type updateMessage as updating,
} from '@stanza/contracts';
import { newContext, Tenant } from '@stanza/runtime';
import { dueNow } from '@stanza/runtime/testing/due-now';
import { until } from '@stanza/runtime/testing/wait';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { resolve } from '../messages/settle.ts';
import {
  ask,
  auditLinesOf,
  connected,
  newSender,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  settlementsOf,
} from '../testing/world.ts';
import { deleteMessage } from './delete-message.ts';
import { getMessage } from './get-message.ts';
import { listMessages } from './list-messages.ts';
import { reportOperation } from './report-operation.ts';
import { updateMessage } from './update-message.ts';

describe('changes of a message', () => {
  const world = sharedByTests(openWorld);

  const contextFor = (principal: Principal) => newContext({ deadlineMs: 15_000, principal });
  const update = (
    principal: Principal,
    id: string,
    body: Partial<InputOf<typeof updating>['body']> = {},
    context = contextFor(principal),
  ) =>
    ask(
      updateMessage(world()),
      { params: { id }, body: { data: {}, version: 'same', ...body } },
      principal,
      context,
    );
  const remove = (principal: Principal, id: string) =>
    ask(deleteMessage(world()), { params: { id } }, principal, contextFor(principal));
  const read = (principal: Principal, id: string) =>
    ask(getMessage(world()), { params: { id } }, principal, contextFor(principal));
  const listed = (principal: Principal, query: object = {}) =>
    ask(
      listMessages(world()),
      { query: { limit: 20, offset: 0, ...query } },
      principal,
      contextFor(principal),
    );

  /** Lets the next compiles say this. */
  const says = (text: string) => {
    const { rendered } = world().others.answers;
    world().others.answers.rendered = {
      ...rendered,
      text,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
    };
  };
  const sent = async (text = 'first') => {
    const { principal, channel } = await newSender(world());
    says(text);
    const { message_id: id } = await send(world(), principal, { channel_id: channel });
    return { principal, channel, id };
  };
  const calls = (id: string, principal: Principal) =>
    rowsOf(world(), principal).then((rows) =>
      rows.filter((row) => row.revises === id).map((row) => row.attempts.map((it) => it.outcome)),
    );
  /** Loses the next answers to a method in a channel. */
  const lose = (method: string, channel: string, times = 1) =>
    world().misbehave({ method, channel, mode: 'reset_after', times });
  const refuse = (method: string, channel: string, value: string) =>
    world().misbehave({ method, channel, mode: 'error', value, times: 1 });

  describe('an update', () => {
    it('replaces the message in its place, is a revision of it, and is charged once', async () => {
      const { principal, channel, id } = await sent();
      says('second');
      const reply = await update(principal, id);
      const [row, change] = await rowsOf(world(), principal);
      expect(reply).toEqual({
        success: true,
        message_id: id,
        channel,
        message_ts: row?.message_ts,
        version_id: row?.version_id,
        version_number: 3,
        warnings: ['author: no value'],
        chat_truncation: { fields_truncated: 1 },
        credit_log_id: change?.credit_log_id,
        remaining_credits: 41,
        revision: 2,
        changed: true,
      });
      expect(await world().postsIn(channel)).toMatchObject([
        {
          text: 'second',
          edits: 1,
          ts: reply.message_ts,
          metadata: { event_payload: { key: id, revision: 2 } },
        },
      ]);
      expect((await settlementsOf(world(), principal)).map(({ items }) => items[0]?.charged)).toEqual([
        true,
        true,
      ]);
      expect((await settlementsOf(world(), principal))[1]?.items[0]).toMatchObject({ message_id: id });
      expect(await read(principal, id)).toMatchObject({
        status: 'sent',
        revision: 2,
        revisions: [
          { revision: 1, kind: 'post', status: 'sent', version_number: 3 },
          { revision: 2, kind: 'update', status: 'sent', credit_log_id: change?.credit_log_id },
        ],
      });
    });

    it('is no message of its own in the log, and its charge leads to the message', async () => {
      const { principal, id } = await sent();
      says('second');
      const { credit_log_id } = await update(principal, id);
      const all = await listed(principal);
      expect([all.data.map((it) => it.id), all.pagination.total]).toEqual([[id], 1]);
      for (const query of [{ status: 'sent' }, { test: 'false' }, { credit_log_id }]) {
        expect((await listed(principal, query)).data.map((it) => it.id)).toEqual([id]);
      }
    });

    it('compiles the version that the message shows, or the live one', async () => {
      const { principal, id } = await sent();
      const [before, live] = [world().others.count(renderTest), world().others.count(renderTemplate)];
      says('second');
      await update(principal, id);
      expect([world().others.count(renderTest), world().others.count(renderTemplate)]).toEqual([
        before + 1,
        live,
      ]);
      const version_id = uuidv7();
      says('third');
      world().others.answers.rendered = { ...world().others.answers.rendered, version_id, version_number: 4 };
      await update(principal, id, { version: 'live' });
      world().others.answers.rendered = { ...world().others.answers.rendered, version_number: 3 };
      expect(await read(principal, id)).toMatchObject({
        version_id,
        version_number: 4,
        revisions: [{ version_number: 3 }, { version_number: 3 }, { version_number: 4, version_id }],
      });
    });

    it('with the content that the channel shows is neither sent nor charged', async () => {
      const { principal, channel, id } = await sent();
      const reply = await update(principal, id);
      expect(reply).toMatchObject({ changed: false, revision: 1, remaining_credits: 42 });
      expect(reply).not.toHaveProperty('credit_log_id');
      expect(await world().postsIn(channel)).toMatchObject([{ edits: 0 }]);
      expect((await settlementsOf(world(), principal)).map(({ items }) => items[0]?.charged)).toEqual([
        true,
        false,
      ]);
      says('second');
      expect(await update(principal, id)).toMatchObject({ changed: true, revision: 2 });
      expect(await update(principal, id)).toMatchObject({ changed: false, revision: 2 });
      expect((await read(principal, id)).revisions.map((it) => it.revision)).toEqual([1, 2]);
    });

    it('that is repeated under its key is answered from the first, and reported so', async () => {
      const { principal, channel, id } = await sent();
      const context = { ...contextFor(principal), keyDigest: 'digest' };
      says('second');
      const first = await update(principal, id, {}, context);
      says('never');
      expect(await update(principal, id, {}, context)).toEqual(first);
      expect(await world().postsIn(channel)).toMatchObject([{ text: 'second', edits: 1 }]);
      expect(await settlementsOf(world(), principal)).toHaveLength(2);
      const { organization_id, environment } = principal;
      const { operationId: operation_id } = context;
      const asked = { organization_id, environment, operation_id, operation: 'update-message' };
      expect(await ask(reportOperation(world()), asked)).toEqual({ outcome: 'done', reply: first });
    });

    it('takes turns with others in the order of their arrival, and the last is shown', async () => {
      const { principal, channel, id } = await sent();
      await world().misbehave({ method: 'chat.update', channel, mode: 'latency', value: 100 });
      const changes = async () => (await rowsOf(world(), principal)).filter((row) => row.revises === id);
      const replies: ReturnType<typeof update>[] = [];
      for (const text of ['a', 'b', 'c', 'd']) {
        says(text);
        replies.push(update(principal, id));
        await until(async () => (await changes()).length === replies.length);
      }
      expect((await Promise.all(replies)).map(({ revision }) => revision)).toEqual([2, 3, 4, 5]);
      expect(await world().postsIn(channel)).toMatchObject([
        { text: 'd', edits: 4, metadata: { event_payload: { revision: 5 } } },
      ]);
      const inOrder = (await changes()).toSorted((one, other) => one.revision - other.revision);
      inOrder.reduce((before, row) => {
        expect(row.posting_at?.getTime()).toBeGreaterThanOrEqual(before.updated_at.getTime());
        return row;
      });
    });

    it('that is made twice at once with the same content is made once', async () => {
      const { principal, channel, id } = await sent();
      says('second');
      const replies = await Promise.all([1, 2, 3].map(() => update(principal, id)));
      expect(replies.map(({ changed }) => changed).sort()).toEqual([false, false, true]);
      expect(await world().postsIn(channel)).toMatchObject([{ edits: 1 }]);
    });

    it('with a lost answer is asked for again', async () => {
      const { principal, channel, id } = await sent();
      await lose('chat.update', channel);
      says('second');
      expect(await update(principal, id)).toMatchObject({ changed: true, revision: 2 });
      expect((await calls(id, principal))[0]?.at(-1)).toBe('ok');
    });

    it.each([
      ['was asked for again', 1],
      ['was looked up', 6],
    ])('lets none pass while an earlier call of one that %s may still come about', async (_, times) => {
      const { principal, channel, id } = await sent();
      await lose('chat.update', channel, times);
      says('second');
      expect(await update(principal, id)).toMatchObject({ changed: true, revision: 2 });
      says('third');
      const context = newContext({ deadlineMs: 4_000, principal });
      expect(await refusalOf(update(principal, id, {}, context))).toMatchObject({
        code: 'invalid_state',
        facts: { details: id, nothing_done: true },
      });
      expect(await world().postsIn(channel)).toMatchObject([{ text: 'second' }]);
      await world().rows(`update messages set lookup_due_at = ${dueNow} where revises = $1 returning 1`, [
        id,
      ]);
      expect(await update(principal, id)).toMatchObject({ changed: true, revision: 4 });
      expect(await world().postsIn(channel)).toMatchObject([{ text: 'third' }]);
    });

    it('whose answers are all lost is looked up, by the revision that the channel shows', async () => {
      const { principal, channel, id } = await sent();
      await lose('chat.update', channel, 100);
      says('second');
      expect(await update(principal, id)).toMatchObject({ changed: true, revision: 2 });
    });

    it.each(['edit_window_closed', 'ratelimited', 'is_archived'])(
      'whose answer is lost is looked up where the platform refuses to make it again, with %s',
      async (error) => {
        const { principal, channel, id } = await sent();
        await lose('chat.update', channel);
        await refuse('chat.update', channel, error);
        says('second');
        expect(await update(principal, id)).toMatchObject({ changed: true, revision: 2 });
        expect(await read(principal, id)).toMatchObject({ revision: 2, revisions: [{}, { status: 'sent' }] });
      },
    );

    it('that is unknown keeps later ones from overtaking it, and they say so', async () => {
      const { principal, channel, id } = await sent();
      await world().misbehave({ method: 'chat.update', channel, mode: 'reset_before', times: 6 });
      says('second');
      expect(await refusalOf(update(principal, id))).toMatchObject({
        code: 'delivery_outcome_unknown',
        facts: { details: id },
      });
      expect((await read(principal, id)).revisions.at(-1)).toMatchObject({ revision: 2, status: 'unknown' });
      says('third');
      const context = newContext({ deadlineMs: 4_000, principal });
      expect(await refusalOf(update(principal, id, {}, context))).toMatchObject({
        code: 'invalid_state',
        facts: { details: id, nothing_done: true },
      });
      expect(await world().postsIn(channel)).toMatchObject([{ edits: 0 }]);
    });

    it('with another expected revision is refused, and names the one that is there', async () => {
      const { principal, channel, id } = await sent();
      says('second');
      expect(await update(principal, id, { expected_revision: 1 })).toMatchObject({ revision: 2 });
      says('third');
      // The last is above all numbers of the database's integers.
      for (const expected_revision of [1, 2 ** 31]) {
        expect(await refusalOf(update(principal, id, { expected_revision }))).toMatchObject({
          code: 'message_changed',
          facts: { details: '2' },
        });
      }
      expect(await world().postsIn(channel)).toMatchObject([{ text: 'second' }]);
      expect((await settlementsOf(world(), principal)).at(-1)?.items[0]?.charged).toBe(false);
    });

    it.each([
      ['message_not_found', 'invalid_state'],
      ['cant_update_message', 'invalid_state'],
      ['edit_window_closed', 'invalid_state'],
      ['channel_not_found', 'invalid_destination'],
    ])('that the platform refuses with %s is %s, a failed revision, and free', async (error, code) => {
      const { principal, channel, id } = await sent();
      await refuse('chat.update', channel, error);
      says('second');
      expect(await refusalOf(update(principal, id))).toMatchObject({
        code,
        facts: { error_details: JSON.stringify(error) },
      });
      expect(await read(principal, id)).toMatchObject({
        status: 'sent',
        revision: 1,
        revisions: [{}, { revision: 2, status: 'failed', error: code }],
      });
      expect((await settlementsOf(world(), principal)).at(-1)?.items[0]?.charged).toBe(false);
    });

    type Made = { principal: Principal; channel: string; id: string };
    const failed = async (): Promise<Made> => {
      const { principal, channel } = await newSender(world());
      await refuse('chat.postMessage', channel, 'is_archived');
      await refusalOf(send(world(), principal, { channel_id: channel }));
      return { principal, channel, id: (await rowsOf(world(), principal))[0]?.id ?? '' };
    };
    const unknown = async (): Promise<Made> => {
      const made = await sent();
      await world().rows("update messages set status = 'unknown', charged = false where id = $1", [made.id]);
      return made;
    };
    const deleted = async (): Promise<Made> => {
      const made = await sent();
      await remove(made.principal, made.id);
      return made;
    };
    const ofOnePerson = async (): Promise<Made> => {
      const { principal, channel } = await newSender(world());
      const { message_id: id } = await send(world(), principal, { channel_id: channel, visible_to: 'U0ADA' });
      return { principal, channel, id };
    };
    const ofAnotherEnvironment = async (): Promise<Made> => {
      const made = await sent();
      const { organization_id } = made.principal;
      return { ...made, principal: await connected(world(), { organization_id, environment: 'preview' }) };
    };

    it.each([
      ['has failed', failed, 'invalid_state', 'never posted; send a new one'],
      ['is unknown', unknown, 'invalid_state', 'shows when a lookup has found it'],
      ['was deleted', deleted, 'invalid_state', 'no longer in its channel; send a new one'],
      ['one person sees', ofOnePerson, 'invalid_state', 'send another'],
      ['is of another environment', ofAnotherEnvironment, 'not_found', 'in this environment'],
    ] as const)(
      'of a message that %s is refused with the way out, and changes nothing',
      async (_, make, code, way) => {
        const { principal, channel, id } = await make();
        const state = async () => [
          await rowsOf(world(), principal),
          await settlementsOf(world(), principal),
          await world().postsIn(channel),
        ];
        const before = await state();
        says('second');
        const refused = { code, message: expect.stringContaining(way) };
        expect(await refusalOf(update(principal, id))).toMatchObject(refused);
        expect(await refusalOf(update(principal, id, { version: 'live' }))).toMatchObject(refused);
        expect(
          await refusalOf(send(world(), principal, { channel_id: channel, reply_to: id })),
        ).toMatchObject({
          code: 'invalid_state',
        });
        expect(await state()).toEqual(before);
      },
    );
  });

  describe('a deletion', () => {
    it('takes the message out of its channel, costs nothing, and changes nothing again', async () => {
      const { principal, channel, id } = await sent();
      expect(await remove(principal, id)).toEqual({ success: true, id, changed: true });
      expect(await world().postsIn(channel)).toEqual([]);
      expect(await remove(principal, id)).toEqual({ success: true, id, changed: false });
      expect(await settlementsOf(world(), principal)).toHaveLength(1);
      expect(await read(principal, id)).toMatchObject({
        status: 'deleted',
        revisions: [{ kind: 'post' }, { kind: 'delete', status: 'sent' }],
      });
      expect((await listed(principal, { status: 'deleted' })).data).toMatchObject([
        { id, status: 'deleted' },
      ]);
      expect(await refusalOf(update(principal, id))).toMatchObject({ code: 'invalid_state' });
    });

    it('twice at once is one', async () => {
      const { principal, id } = await sent();
      const replies = await Promise.all([remove(principal, id), remove(principal, id)]);
      expect(replies.map(({ changed }) => changed).sort()).toEqual([false, true]);
    });

    it('of what somebody has deleted in the channel is done', async () => {
      const { principal, channel, id } = await sent();
      await refuse('chat.delete', channel, 'message_not_found');
      expect(await remove(principal, id)).toMatchObject({ changed: true });
    });

    it('with a lost answer is asked for again', async () => {
      const { principal, channel, id } = await sent();
      await lose('chat.delete', channel);
      expect(await remove(principal, id)).toMatchObject({ changed: true });
    });

    /** What the audit log says of messages. */
    const recorded = async (principal: Principal) =>
      (await auditLinesOf(world(), principal)).filter(({ subject }) => subject.kind === 'message');

    it('is on record as a request, and as done once it is', async () => {
      const { principal, id } = await sent();
      await remove(principal, id);
      const line = { subject: { kind: 'message', id }, actor: principal.actor };
      expect(await recorded(principal)).toMatchObject([
        { ...line, action: 'message.deletion_requested' },
        { ...line, action: 'message.deleted' },
      ]);
    });

    it('of a person is theirs in the revisions, as the post and an update are', async () => {
      const { principal, channel } = await newSender(world());
      const user_id = uuidv7();
      const person: Principal = { ...principal, actor: { type: 'session', id: 'subject-of-ada', user_id } };
      const { message_id: id } = await send(world(), person, { channel_id: channel });
      says('by a person');
      await update(person, id);
      await remove(person, id);
      const { revisions } = await read(principal, id);
      expect(revisions).toMatchObject([
        { kind: 'post', actor: user_id },
        { kind: 'update', actor: user_id },
        { kind: 'delete', actor: user_id },
      ]);
    });

    it('that the platform refuses is not on record as done', async () => {
      const { principal, channel, id } = await sent();
      await refuse('chat.delete', channel, 'cant_delete_message');
      await refusalOf(remove(principal, id));
      expect(await recorded(principal)).toMatchObject([{ action: 'message.deletion_requested' }]);
    });

    it('that a look-up finds done is on record then, once, with who asked for it', async () => {
      const { principal, channel, id } = await sent();
      await world().misbehave({ method: 'chat.delete', channel, mode: 'reset_before', times: 6 });
      await refusalOf(remove(principal, id));
      const [, change] = await rowsOf(world(), principal);
      expect(change).toMatchObject({ status: 'unknown', revises: id });
      for (const _ of [1, 2])
        await resolve(world(), Tenant.of(principal), change?.id ?? '', '1795249800.000100');
      expect(await recorded(principal)).toMatchObject([
        { action: 'message.deletion_requested' },
        {
          action: 'message.deleted',
          subject: { kind: 'message', id },
          actor: { type: 'system', id: 'delivery' },
          changes: { requested_by: principal.actor.id, was_unknown: true },
        },
      ]);
    });
  });
});
