import { describe, expect, it } from '@jest/globals';
import { readMetadata } from './metadata.ts';

const withPayload = (event_payload: unknown) => readMetadata({ event_type: 'stanza_message', event_payload });

describe('metadata', () => {
  it('may hold texts, numbers, yes and no, flat objects and lists of them', () => {
    expect(withPayload({ key: 'k', v: 1, ok: true, one: { a: 1 }, many: [{ a: 1 }] }).ok).toBe(true);
  });

  it('is refused when it is not an event', () => {
    for (const value of ['text', [], null, {}, { event_type: '', event_payload: {} }, { event_type: 'a' }]) {
      expect(readMetadata(value)).toEqual({ ok: false, error: 'invalid_metadata_format' });
    }
  });

  it('is refused when its payload is nested deeper', () => {
    for (const value of [{ a: { b: { c: 1 } } }, { a: ['text'] }, { a: null }]) {
      expect(withPayload(value)).toEqual({ ok: false, error: 'invalid_metadata_schema' });
    }
  });

  it('may be at most 4,000 bytes as JSON', () => {
    const frame = JSON.stringify({ event_type: 'stanza_message', event_payload: { key: '' } }).length;
    expect(withPayload({ key: 'x'.repeat(4_000 - frame) }).ok).toBe(true);
    expect(withPayload({ key: 'x'.repeat(4_001 - frame) })).toEqual({
      ok: false,
      error: 'metadata_too_large',
    });
    expect(withPayload({ key: 'ü'.repeat(2_000) })).toEqual({ ok: false, error: 'metadata_too_large' });
  });
});
