import { describe, expect, it } from '@jest/globals';
import { authorOf } from '@stanza/contracts';
import { sourceOf } from './author.ts';

describe('a change', () => {
  it('is attributed to the person behind the key, else to the key', () => {
    expect(authorOf({ type: 'api_key', id: 'key', user_id: 'ada' })).toBe('ada');
    expect(authorOf({ type: 'system', id: 'import' })).toBe('import');
  });

  it('comes from the web for a session, else from the API', () => {
    expect(sourceOf({ type: 'session', id: 'ada' })).toBe('web');
    expect(sourceOf({ type: 'api_key', id: 'key' })).toBe('api');
  });
});
