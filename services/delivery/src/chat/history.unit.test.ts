import { describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@stanza/runtime';
import { Deadline } from '../deadline.ts';
import type { GuardedChat } from './guarded.ts';
import { findInHistory } from './history.ts';
import type { Attempt } from './platform.ts';

const postingAt = new Date('2026-11-22T08:00:00.000Z');
const minute = 60_000;
const tsAt = (milliseconds: number): string => ((postingAt.getTime() + milliseconds) / 1_000).toFixed(6);

interface Posted {
  ts: string;
  key: string;
}

/** A channel's history as the platform answers it: newest first, in pages, between `oldest` and `latest`. */
const historyOf = (messages: readonly Posted[]): Pick<GuardedChat, 'call'> => ({
  call: async ({ args }) => {
    const { oldest = 0, latest = Number.POSITIVE_INFINITY, limit, cursor = 0 } = args;
    const within = messages
      .filter(({ ts }) => Number(ts) > Number(oldest) && Number(ts) < Number(latest))
      .toSorted((one, two) => Number(two.ts) - Number(one.ts));
    const end = Number(cursor) + Number(limit);
    const page = within.slice(Number(cursor), end);
    const data = {
      messages: page.map(({ ts, key }) => ({ ts, metadata: { event_payload: { key } } })),
      ...(end < within.length && { response_metadata: { next_cursor: String(end) } }),
    };
    const attempt: Attempt = {
      method: 'conversations.history',
      outcome: 'ok',
      latency_ms: 1,
      started_at: '',
    };
    return { outcome: { kind: 'ok', data }, attempt };
  },
});

const look = (messages: readonly Posted[], untilNow = false) =>
  findInHistory(
    { messageId: 'ours', channel: 'C1', threadTs: null, postingAt, untilNow },
    {
      chat: historyOf(messages),
      access: { token: 't', workspaceId: 'T1' },
      deadline: Deadline.in(systemClock, minute),
      log: silentLogger(),
      journal: [],
    },
  );

/** Messages of others, one a second, between two moments. */
const others = (fromMs: number, toMs: number): Posted[] =>
  Array.from({ length: (toMs - fromMs) / 1_000 }, (_, index) => ({
    ts: tsAt(fromMs + index * 1_000),
    key: `other ${fromMs} ${index}`,
  }));

describe('a lost message', () => {
  it.each([false, true])(
    'is found on a busy channel after half an hour (until now: %s)',
    async (untilNow) => {
      const ours = { ts: tsAt(500), key: 'ours' };
      const messages = [...others(-5 * minute, 0), ours, ...others(1_000, 30 * minute)];
      expect(await look(messages, untilNow)).toEqual({ kind: 'found', ts: ours.ts });
    },
  );

  it.each([3, 4, 9])(
    'that the platform dates %d minutes late is found by a search until now',
    async (late) => {
      const ours = { ts: tsAt(late * minute), key: 'ours' };
      const messages = [...others(-minute, 9 * minute), ours];
      expect(await look(messages)).toEqual({ kind: 'absent', isWhole: true });
      expect(await look(messages, true)).toEqual({ kind: 'found', ts: ours.ts });
    },
  );

  it.each([-119_000, 119_000])('is found though the clocks differ by %d milliseconds', async (difference) => {
    const ours = { ts: tsAt(difference), key: 'ours' };
    expect(await look([ours])).toEqual({ kind: 'found', ts: ours.ts });
  });

  it('is absent where only others were posted', async () => {
    expect(await look(others(-minute, minute))).toEqual({ kind: 'absent', isWhole: true });
  });

  it('is not said to be absent of a whole history that was too long to be read', async () => {
    const crowd = Array.from({ length: 1_001 }, (_, index) => ({ ts: tsAt(index), key: `other ${index}` }));
    expect(await look(crowd)).toEqual({ kind: 'absent', isWhole: false });
    expect(await look(crowd, true)).toEqual({ kind: 'absent', isWhole: false });
    expect(await look(others(4 * minute, 30 * minute), true)).toEqual({ kind: 'absent', isWhole: false });
  });
});
