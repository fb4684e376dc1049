import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { dueNow } from '@stanza/runtime/testing/due-now';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Dependencies } from '../../dependencies.ts';
import { lookUpUnknown } from '../../testing/lookups.ts';
import {
  anotherProcess,
  connected,
  loseOutcome,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
} from '../../testing/world.ts';
import { maxAttempts } from '../attempts.ts';

describe('messages with unknown outcomes', () => {
  const world = sharedByTests(openWorld);

  /** Someone with a message that was posted, and whose answer is lost. */
  const withLostAnswer = async () => {
    const principal = await connected(world());
    const channel = newChannel();
    await loseOutcome(world(), channel, 'reset_after', 1);
    expect(await refusalOf(send(world(), principal, { channel_id: channel }))).toMatchObject({
      code: 'delivery_outcome_unknown',
    });
    return principal;
  };

  it('are looked up though the look-up of another one fails unexpectedly, which is repeated', async () => {
    const unlucky = await withLostAnswer();
    const lucky = await withLostAnswer();
    const [failing] = await rowsOf(world(), unlucky);
    const later = anotherProcess(world());
    later.clock.jump(60_000);
    const chat: Dependencies['chat'] = {
      ...later.chat,
      call: async (call) => {
        if (call.messageId === failing?.id) throw new Error('a defect');
        return later.chat.call(call);
      },
    };
    await lookUpUnknown({ ...later, chat });
    expect(await rowsOf(world(), lucky)).toMatchObject([{ status: 'sent' }]);
    expect(await rowsOf(world(), unlucky)).toMatchObject([{ status: 'unknown' }]);
    later.clock.jump(10 * 60_000);
    await lookUpUnknown(later);
    expect(await rowsOf(world(), unlucky)).toMatchObject([{ status: 'sent' }]);
    await later.chat.close();
  });

  it('list no more than so many calls to the platform', async () => {
    const principal = await withLostAnswer();
    await world().rows(
      `update messages
       set attempts = (
         select json_agg(it.first)
         from (select messages.attempts -> 0 as first from generate_series(1, $2::int)) it
       ),
           lookup_due_at = ${dueNow}
       where organization_id = $1
       returning 1`,
      [principal.organization_id, maxAttempts],
    );
    await lookUpUnknown(world());
    const [row] = await rowsOf(world(), principal);
    expect(row).toMatchObject({ status: 'sent' });
    expect(row?.attempts).toHaveLength(maxAttempts);
  });

  it('have their key until the last look-up has ended, so that none is posted beside them', async () => {
    const principal = await connected(world());
    const channel = newChannel();
    await loseOutcome(world(), channel, 'reset_after', 1);
    const body = { channel_id: channel, message_key: 'deploy-4711' };
    await refusalOf(send(world(), principal, body));
    const [message] = await rowsOf(world(), principal);
    await world().rows(
      `update messages set lookups = 4, lookup_due_at = ${dueNow} where id = $1 returning 1`,
      [message?.id],
    );
    const other = anotherProcess(world());
    let meanwhile: unknown;
    const chat: Dependencies['chat'] = {
      ...other.chat,
      call: async (call) => {
        const context = newContext({ deadlineMs: 3_020, principal });
        if (call.messageId === message?.id)
          meanwhile = await refusalOf(send(world(), principal, body, context));
        return other.chat.call(call);
      },
    };
    await lookUpUnknown({ ...other, chat });
    expect(meanwhile).toMatchObject({ code: 'invalid_state', facts: { details: message?.id } });
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'sent' }]);
    expect(await world().postsIn(channel)).toHaveLength(1);
    await other.chat.close();
  });

  it('lose their key once the last look-up has not found them', async () => {
    const principal = await connected(world());
    const channel = newChannel();
    await loseOutcome(world(), channel, 'reset_before', 1);
    const body = { channel_id: channel, message_key: 'deploy-4711' };
    await refusalOf(send(world(), principal, body));
    await world().rows(
      `update messages set lookups = 4, lookup_due_at = ${dueNow} where organization_id = $1 returning 1`,
      [principal.organization_id],
    );
    await lookUpUnknown(world());
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'unknown', lookup_due_at: null }]);
    expect(await send(world(), principal, body)).toMatchObject({ revision: 1 });
  });

  it('are found once their channel can be read again, however many look-ups could not read it', async () => {
    const principal = await withLostAnswer();
    const [message] = await rowsOf(world(), principal);
    const later = anotherProcess(world());
    let looks = 0;
    const chat: Dependencies['chat'] = {
      ...later.chat,
      call: async (call) => {
        if (call.messageId === message?.id) looks += 1;
        throw new CodedError('service_unavailable');
      },
    };
    for (let hour = 0; hour < 12; hour += 1) {
      later.clock.jump(3_600_000);
      await lookUpUnknown({ ...later, chat });
    }
    expect(looks).toBeGreaterThan(8);
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'unknown', lookups: 0 }]);
    later.clock.jump(3_600_000);
    await lookUpUnknown(later);
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'sent' }]);
    await later.chat.close();
  });
});
