import { describe, expect, it } from '@jest/globals';
import type { PostedMessage } from '../kit/sandbox.ts';
import type { EventRow, Evidence, MessageRow } from './evidence.ts';
import { checkInvariants } from './invariants.ts';
import { Ledger, type Wish } from './ledger.ts';

const answer = (status: number, text: string, code = '') =>
  ({ kind: 'answer', at: 0, until: 1_000, status, code, text, replayed: false }) as const;

const pushed = (marker: string): Wish => ({
  work: 'push',
  organization: 'o1',
  path: '/v1/queues/q1/events',
  body: {},
  markers: [marker],
  heard: [answer(200, '{}')],
});
const post = (key: string, ts: string): PostedMessage => ({ channel: 'C1', workspace: 'T1', ts, key });
const event: EventRow = {
  marker: 'event_1_',
  batch_id: 'b1',
  status: 'delivered',
  message_id: 'm1',
  delivery_id: null,
  error: null,
  is_live: false,
  awaits_lookup: false,
};
const message: MessageRow = {
  id: 'm1',
  organization_id: 'o1',
  status: 'sent',
  origin: 'batch',
  origin_id: 'b1',
  revises: null,
  change: null,
  revision: 1,
  charged: true,
  credit_log_id: 'l1',
  lookups: 0,
  posting_at: new Date(1_000_000),
  has_state: true,
};
const charge = { id: 'l1', kind: 'charge', amount: '-1', operation: 'batch', operation_id: 'op1' };
const account = { organization_id: 'o1', balance: '9', reserved: '0', ledger: '9', held: '0', old: '0' };

const told = {
  at: 0,
  method: 'POST',
  headers: {},
  body: JSON.stringify({ type: 'message.sent', data: { message_id: 'm1' } }),
};

const [first, second] = [
  '018f3a5e-0000-7000-8000-000000000001',
  '018f3a5e-0000-7000-8000-000000000002',
] as const;
const sentAnswer = {
  success: true,
  channel: 'C1801',
  message_ts: '1.1',
  version_id: first,
  version_number: 1,
  warnings: [],
  chat_truncation: { fields_truncated: 0 },
  credit_log_id: first,
  remaining_credits: 9,
};

/** One event that was pushed, delivered and charged; and what a test changes in that. */
const evidence = (changes: Partial<Evidence> = {}, more: PostedMessage[] = []): Evidence => {
  const { messages = [message] } = changes;
  const ledger = new Ledger();
  ledger.wishes.push(pushed('event_1_'));
  const posts = [post('m1', '1.1'), ...more];
  return {
    ledger,
    faults: [],
    posts,
    markersOf: new Map(posts.map((it) => [it, ['event_1_']])),
    receiver: { received: [told] },
    followed: { organization: 'o1', seen: new Map(messages.map(({ id, status }) => [id, status])) },
    messages,
    changes: [],
    audited: { written: [], exported: new Set() },
    events: [event],
    credits: [charge],
    accounts: [account],
    runs: [],
    unrest: {},
    recoveryMs: 900,
    recoveryLimitMs: 15_000,
    recovered: true,
    late: [],
    ...changes,
  };
};

const update: MessageRow = {
  ...message,
  id: 'm2',
  revises: 'm1',
  change: 'update',
  revision: 2,
  charged: false,
  credit_log_id: 'l9',
};
const entry = { id: 'a1', organization_id: 'o1', facts: '{}' };
const schedule = '019a0000-0000-7000-8000-000000000001';
const cancelled: Wish = {
  ...pushed('cancel_1_'),
  work: 'cancel',
  path: `/v1/scheduled-messages/${schedule}`,
};
const edited: Wish = { ...pushed('edit_1_'), work: 'edit' };

const changedBy = (wish: Wish): Ledger => {
  const ledger = new Ledger();
  ledger.wishes.push(pushed('event_1_'), wish);
  return ledger;
};

/** The numbers of the invariants that something breaks. */
const broken = (given: Evidence): number[] =>
  checkInvariants(given).flatMap((it, at) => (it.broken.length > 0 ? [at + 1] : []));

const twoAnswers = (): Ledger => {
  const ledger = new Ledger();
  const heard = [answer(200, '{"event_ids":["1"]}'), answer(200, '{"event_ids":["2"]}')];
  ledger.wishes.push({ ...pushed('event_1_'), key: 'k1', heard });
  return ledger;
};

const keyedWith = (heard: Wish['heard'][number]): Ledger => {
  const ledger = new Ledger();
  ledger.wishes.push(pushed('event_1_'), { ...pushed('event_2_'), key: 'k1', heard: [heard] });
  return ledger;
};

describe('the invariants', () => {
  it('hold where all is as it was promised', () => {
    expect(broken(evidence())).toEqual([]);
    expect(broken(evidence({ events: [{ ...event, is_live: true }] }))).toEqual([]);
  });

  const breaches: [string, Evidence, number[]][] = [
    ['an accepted event that is in no batch', evidence({ events: [] }), [1]],
    ['an event in two batches', evidence({ events: [event, { ...event, batch_id: 'b2' }] }), [1]],
    ['a batch that never ends', evidence({ events: [{ ...event, status: 'delivering' }] }), [1]],
    ['a batch that fails for ever', evidence({ events: [{ ...event, status: 'failed' }] }), [1]],
    ['a delivered digest without a post', evidence({ events: [{ ...event, message_id: 'm9' }] }), [1]],
    ['a message that is posted twice', evidence({}, [post('m1', '1.2')]), [1, 2]],
    ['a second message for one request', evidence({ events: [] }, [post('m2', '1.2')]), [1, 2, 3]],
    ['a message without an outcome', evidence({ messages: [{ ...message, status: 'posting' }] }), [3]],
    ['a message whose state is not its own', evidence({ messages: [{ ...message, has_state: false }] }), [3]],
    ['a lost reply that nothing explains', evidence({ messages: [{ ...message, status: 'unknown' }] }), [3]],
    ['a charge without a message', evidence({ credits: [charge, { ...charge, id: 'l2' }] }), [4]],
    ['a message without a charge', evidence({ credits: [] }), [4]],
    ['a balance that is not its ledger', evidence({ accounts: [{ ...account, balance: '8' }] }), [4]],
    ['an old reservation', evidence({ accounts: [{ ...account, reserved: '1', held: '1', old: '1' }] }), [4]],
    ['two different answers to one key', evidence({ ledger: twoAnswers() }), [5]],
    ['a service that stays away', evidence({ recovered: false }), [6]],
    ['work that never rests', evidence({ unrest: { batches: 1 } }), [6]],
    [
      'a key whose lost answer stays',
      evidence({ ledger: keyedWith(answer(503, '', 'service_unavailable')) }),
      [7],
    ],
    [
      'an unknown outcome of a known one',
      evidence({ ledger: keyedWith(answer(502, '', 'delivery_outcome_unknown')) }),
      [7],
    ],
    ['a change that its message does not show', evidence({ changes: [update] }), [9]],
    [
      'a post after its schedule was cancelled',
      evidence({ ledger: changedBy(cancelled), messages: [{ ...message, origin_id: schedule }] }),
      [9],
    ],
    ['a change that is not on record', evidence({ ledger: changedBy(edited) }), [9]],
    ['an entry that the export lacks', evidence({ audited: { written: [entry], exported: new Set() } }), [9]],
    ['a message that no event tells of', evidence({ receiver: { received: [] } }), [8]],
    [
      'a stream that ends before its end',
      evidence({ followed: { organization: 'o1', seen: new Map([['m1', 'posting']]) } }),
      [8],
    ],
  ];
  const wrongClock = {
    id: 1,
    at: 0,
    lastsMs: 20_000,
    harm: { kind: 'clock', mode: 'off by 60 s', process: 'delivery', offsetMs: 60_000 },
    begun: 990_000,
    ended: 1_010_000,
  } as const;
  const longFreeze = { ...wrongClock, harm: { kind: 'long freeze', process: 'delivery' } } as const;
  const free = { messages: [{ ...message, charged: false }], credits: [] };
  const lost = { messages: [{ ...message, status: 'unknown' }] };

  it('are broken by a message that was sent and not charged, unless its sender was frozen', () => {
    expect(broken(evidence({ ...free, faults: [wrongClock] }))).toEqual([4]);
    expect(broken(evidence({ ...free, faults: [longFreeze] }))).toEqual([]);
    expect(broken(evidence({ ...free, faults: [{ ...longFreeze, ended: 999_000 }] }))).toEqual([4]);
  });

  it('hold for a key that was answered by an unknown outcome, which a lookup found later', () => {
    const ledger = keyedWith(answer(502, '', 'delivery_outcome_unknown'));
    expect(broken(evidence({ ledger, messages: [{ ...message, lookups: 1 }] }))).toEqual([]);
  });

  it('are broken by an unknown outcome that only a wrong clock explains', () => {
    expect(broken(evidence({ ...lost, faults: [wrongClock] }))).toEqual([3]);
    expect(broken(evidence({ ...lost, faults: [longFreeze] }))).toEqual([]);
  });

  it.each(breaches)('notice %s', (_, given, numbers) => {
    expect(broken(given)).toEqual(numbers);
  });

  it('break where the message of a closed live batch lacks an event, and not where a lookup is awaited', () => {
    const live = { ...event, is_live: true };
    expect(broken(evidence({ events: [live, { ...live, marker: 'event_2_' }] }))).toContain(10);
    const waits = { ...live, status: 'delivering', message_id: null, awaits_lookup: true };
    expect(broken(evidence({ events: [waits] }))).toEqual([]);
    expect(broken(evidence({ events: [{ ...waits, awaits_lookup: false }] }))).toEqual([1]);
  });

  it('break where a key has two messages, or lost a revision, and not for replies', () => {
    const keyed = (message_id: string, revision: number, on_existing = 'update'): Wish => ({
      work: 'keyed',
      organization: 'o1',
      path: '/v1/templates/send',
      body: { message_key: 'deploy-1', on_existing },
      markers: [],
      heard: [answer(200, JSON.stringify({ ...sentAnswer, message_id, revision }))],
    });
    const answered = (...wishes: Wish[]): Evidence => {
      const given = evidence({
        messages: [
          { ...message, id: first, revision: 2 },
          { ...message, id: second },
        ],
      });
      given.ledger.wishes.push(...wishes);
      return given;
    };
    const told = (given: Evidence): string[] =>
      checkInvariants(given)[8]?.broken.filter((it) => it.includes('key')) ?? [];
    expect(told(answered(keyed(first, 1), keyed(first, 2), keyed(second, 1, 'reply')))).toEqual([]);
    expect(told(answered(keyed(first, 1), keyed(second, 1)))).toEqual([
      expect.stringContaining('has 2 messages'),
    ]);
    expect(told(answered(keyed(first, 3)))).toEqual([expect.stringContaining('revision 3')]);
  });
});
