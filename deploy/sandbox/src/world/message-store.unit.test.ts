import { describe, expect, it } from '@jest/globals';
import type { Draft } from './message.ts';
import { MessageStore } from './message-store.ts';
import { formatTs, parseTs } from './timestamp.ts';

const draft: Draft = {
  workspace: 'TACME',
  channel: 'C0GENERAL',
  text: 'hello',
  blocks: [],
  attachments: [],
  metadata: null,
  broadcast: false,
  bytes: 100,
};

describe('MessageStore', () => {
  it('gives messages of the same millisecond different, rising timestamps', () => {
    const store = new MessageStore(() => 1_712_345_678_000);
    const stamps = [store.accept(draft).ts, store.accept(draft).ts, store.accept(draft).ts];
    expect(stamps).toEqual(['1712345678.000000', '1712345678.000001', '1712345678.000002']);
  });

  it('never goes back when the clock does', () => {
    const times = [1_712_345_678_000, 1_712_345_000_000];
    const store = new MessageStore(() => times.shift() ?? 0);
    const first = store.accept(draft);
    expect(store.accept(draft).micros).toBeGreaterThan(first.micros);
  });

  it('calls its listeners for each message and for clearing, until they unsubscribe', () => {
    const store = new MessageStore(() => 1_712_345_678_000);
    const heard: unknown[] = [];
    const leave = store.listen((message) => heard.push(message?.text ?? null));
    store.accept(draft);
    store.clear();
    leave();
    store.accept(draft);
    expect(heard).toEqual(['hello', null]);
  });

  it('keeps at most 20,000 messages', () => {
    const store = new MessageStore(() => 1_712_345_678_000);
    for (let index = 0; index < 20_010; index += 1) store.accept(draft);
    expect([...store.newestFirst()]).toHaveLength(20_000);
  });
});

describe('timestamps', () => {
  it('are unchanged after formatting and parsing', () => {
    expect(parseTs(formatTs(1_712_345_678_000_100))).toBe(1_712_345_678_000_100);
  });

  it('are read with fewer decimals too', () => {
    expect(parseTs('1712345678.5')).toBe(1_712_345_678_500_000);
    expect(parseTs('0')).toBe(0);
  });

  it('are refused when they are something else', () => {
    expect(parseTs('yesterday')).toBeUndefined();
    expect(parseTs('-1')).toBeUndefined();
  });
});
