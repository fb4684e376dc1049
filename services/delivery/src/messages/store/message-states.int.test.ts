import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { columnsOf } from '@stanza/runtime/table';
import { sharedByTests } from '@stanza/test-kit/shared';
import { connected, loseOutcome, openWorld, refusalOf, send, sendToMany } from '../../testing/world.ts';
import { type MessageStateRow, messageStates } from '../message-state-tables.ts';
import type { MessageRow } from '../message-tables.ts';

describe('the state of a message', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;
  beforeEach(async () => {
    principal = await connected(world());
  });

  const messagesOf = () =>
    world().rows<MessageRow>('select * from messages where organization_id = $1 order by id', [
      principal.organization_id,
    ]);

  const states = () =>
    world().rows<MessageStateRow>(
      `select ${columnsOf(messageStates)} from message_states where organization_id = $1 order by message_id, changed_at`,
      [principal.organization_id],
    );

  /** The states that the messages ask for: one each. */
  const wanted = async () =>
    (await messagesOf()).map((it) => ({
      organization_id: it.organization_id,
      environment: it.environment,
      message_id: it.id,
      changed_at: it.updated_at,
      status: it.status,
      due_at: it.status === 'accepted' || it.status === 'posting' ? it.deadline_at : it.lookup_due_at,
    }));

  const change = (set: string, where = 'true') =>
    world().rows(`update messages set ${set} where organization_id = $1 and ${where} returning id`, [
      principal.organization_id,
    ]);

  /** Makes many messages like one that was sent. */
  const insertMany = (messages: number) =>
    world().rows(
      `insert into messages
       select (jsonb_populate_record(message, jsonb_build_object('id', gen_random_uuid(),
         'operation_id', gen_random_uuid(), 'credit_log_id', gen_random_uuid()))).*
       from messages as message, generate_series(1, $2::integer)
       where organization_id = $1
       returning 1`,
      [principal.organization_id, messages],
    );

  it('follows sends, bulk sends and lost outcomes', async () => {
    await send(world(), principal);
    await sendToMany(world(), principal, {
      destinations: [{ channel_id: 'C0GENERAL' }, { channel_id: 'C0ARCHIVED' }],
    });
    await loseOutcome(world(), 'C0RANDOM', 'reset_after');
    await refusalOf(send(world(), principal, { channel_id: 'C0RANDOM' }));
    expect(new Set((await states()).map((it) => it.status))).toEqual(new Set(['sent', 'failed', 'unknown']));
    expect(await states()).toEqual(await wanted());
  });

  it.each([
    [
      'a change of its status',
      "status = 'unknown', charged = false, lookup_due_at = now(), updated_at = now()",
    ],
    ['a change of what is due alone', "deadline_at = deadline_at + interval '1 hour'"],
    ['a change of nothing', 'id = id'],
  ])('follows %s, and the same again', async (_, set) => {
    await send(world(), principal);
    await insertMany(3);
    for (const again of [set, set]) {
      await change(again);
      expect(await states()).toEqual(await wanted());
    }
    expect(await states()).toHaveLength(4);
  });

  it.each(['id = gen_random_uuid()', "environment = 'preview'", 'organization_id = gen_random_uuid()'])(
    'is never that of another message, since %s is refused',
    async (set) => {
      await send(world(), principal);
      await expect(change(set)).rejects.toThrow('The key of a message stays as it is.');
      expect(await states()).toEqual(await wanted());
    },
  );

  it('follows changes of one transaction, and is as before where that is taken back', async () => {
    await send(world(), principal);
    const before = await states();
    const taken = world().database.transaction(async ({ orm }) => {
      const values = [principal.organization_id];
      await orm.query(
        "update messages set updated_at = now() + interval '1 hour' where organization_id = $1",
        values,
      );
      await orm.query(
        "update messages set updated_at = now() + interval '2 hours' where organization_id = $1",
        values,
      );
      const [row] = await orm.query<MessageStateRow[]>(
        `select ${columnsOf(messageStates)} from message_states where organization_id = $1`,
        values,
      );
      expect(row?.changed_at.getTime()).toBeGreaterThan(Date.parse('2020-01-01'));
      throw new Error('taken back');
    });
    await expect(taken).rejects.toThrow('taken back');
    expect(await states()).toEqual(before);
  });

  it('goes with its message', async () => {
    await send(world(), principal);
    await insertMany(2);
    const [first] = await messagesOf();
    await world().rows('delete from messages where id = $1 returning id', [first?.id]);
    expect(await states()).toEqual(await wanted());
    expect(await states()).toHaveLength(2);
  });
});
