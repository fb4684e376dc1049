import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
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
  type World,
} from '../../testing/world.ts';

describe('messages with unknown outcomes', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** Somebody with a message that was posted, and whose answer is lost. */
  const withLostAnswer = async () => {
    const principal = await connected(world);
    const channel = newChannel();
    await loseOutcome(world, channel, 'reset_after', 1);
    expect(await refusalOf(send(world, principal, { channel_id: channel }))).toMatchObject({
      code: 'delivery_outcome_unknown',
    });
    return principal;
  };

  it('are looked up though the look-up of another one fails unexpectedly, which is repeated', async () => {
    const unlucky = await withLostAnswer();
    const lucky = await withLostAnswer();
    const [failing] = await rowsOf(world, unlucky);
    const later = anotherProcess(world);
    later.clock.jump(60_000);
    const chat: Dependencies['chat'] = {
      ...later.chat,
      call: async (call) => {
        if (call.messageId === failing?.id) throw new Error('a defect');
        return later.chat.call(call);
      },
    };
    await lookUpUnknown({ ...later, chat });
    expect(await rowsOf(world, lucky)).toMatchObject([{ status: 'sent' }]);
    expect(await rowsOf(world, unlucky)).toMatchObject([{ status: 'unknown' }]);
    later.clock.jump(10 * 60_000);
    await lookUpUnknown(later);
    expect(await rowsOf(world, unlucky)).toMatchObject([{ status: 'sent' }]);
    await later.chat.close();
  });

  it('are found once their channel can be read again, however many look-ups could not read it', async () => {
    const principal = await withLostAnswer();
    const [message] = await rowsOf(world, principal);
    const later = anotherProcess(world);
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
    expect(await rowsOf(world, principal)).toMatchObject([{ status: 'unknown', lookups: 0 }]);
    later.clock.jump(3_600_000);
    await lookUpUnknown(later);
    expect(await rowsOf(world, principal)).toMatchObject([{ status: 'sent' }]);
    await later.chat.close();
  });
});
