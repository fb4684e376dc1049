import { describe, expect, it } from '@jest/globals';
import { StanzaError } from '@stanza/sdk';
import { underKey } from './under-key.ts';

const refused = (replayed: boolean, status = 409) =>
  new StanzaError({ code: 'already_exists', text: 'it is there', status, replayed });

/** Runs with errors in turn, then well. @returns the keys that were tried */
const tried = async (...errors: Error[]): Promise<string[]> => {
  const keys: string[] = [];
  await underKey('key', async (key) => {
    keys.push(key);
    const error = errors[keys.length - 1];
    if (error) throw error;
  });
  return keys;
};

describe('a request under a key', () => {
  it('is made once where it succeeds', async () => {
    expect(await tried()).toEqual(['key']);
  });

  it('takes the next key where its own keeps a refusal of before', async () => {
    expect(await tried(refused(true), refused(true))).toEqual(['key', 'key-2', 'key-3']);
  });

  it.each([
    ['a refusal of now', refused(false)],
    ['a failure whose outcome may stand', refused(true, 500)],
    ['another error', new Error('broken')],
  ])('ends with %s', async (_, error) => {
    await expect(tried(error)).rejects.toBe(error);
  });

  it('ends', async () => {
    const keys: string[] = [];
    const call = underKey('key', async (key) => {
      keys.push(key);
      throw refused(true);
    });
    await expect(call).rejects.toThrow('already_exists');
    expect(keys).toHaveLength(20);
  });
});
