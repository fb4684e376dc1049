import { describe, expect, it } from '@jest/globals';
import { flagArgument, readArguments, structuredArgument, textArgument } from './arguments.ts';

const FORM = 'application/x-www-form-urlencoded';

describe('readArguments', () => {
  it('reads a form', () => {
    expect(readArguments(FORM, 'channel=C0GENERAL&text=a%20b', '')).toEqual({
      ok: true,
      args: { channel: 'C0GENERAL', text: 'a b' },
    });
  });

  it('reads a JSON body with a charset', () => {
    expect(readArguments('application/json; charset=utf-8', '{"limit":5}', '')).toEqual({
      ok: true,
      args: { limit: 5 },
    });
  });

  it('lets the body win over the query', () => {
    const result = readArguments(FORM, 'channel=C1', 'channel=C2&limit=3');
    expect(result).toEqual({ ok: true, args: { channel: 'C1', limit: '3' } });
  });

  it('names what is wrong with a body as the platform does', () => {
    expect(readArguments('application/json', '{', '')).toEqual({ ok: false, error: 'invalid_json' });
    expect(readArguments('application/json', '[]', '')).toEqual({ ok: false, error: 'json_not_object' });
    expect(readArguments('text/plain', 'x', '')).toEqual({ ok: false, error: 'invalid_post_type' });
    expect(readArguments('', 'x', '')).toEqual({ ok: false, error: 'missing_post_type' });
  });
});

describe('single arguments', () => {
  it('are absent when they are empty', () => {
    expect(textArgument({ text: '' }, 'text')).toBeUndefined();
    expect(structuredArgument({ blocks: '' }, 'blocks')).toEqual({ state: 'absent' });
  });

  it('are yes for true and 1 alone', () => {
    expect(
      [true, 'true', '1', 'false', '0', undefined].map((flag) => flagArgument({ flag }, 'flag')),
    ).toEqual([true, true, true, false, false, false]);
  });

  it('tell JSON text that cannot be read from a value', () => {
    expect(structuredArgument({ blocks: '[{' }, 'blocks')).toEqual({ state: 'malformed' });
    expect(structuredArgument({ blocks: '[1]' }, 'blocks')).toEqual({ state: 'present', value: [1] });
    expect(structuredArgument({ blocks: [1] }, 'blocks')).toEqual({ state: 'present', value: [1] });
  });
});
