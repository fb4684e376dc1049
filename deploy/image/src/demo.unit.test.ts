import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import { onceAnswered } from './demo.ts';

const refusing = (errors: readonly Error[]) => {
  const left = [...errors];
  return async (): Promise<string> => {
    const error = left.shift();
    if (error) throw error;
    return 'made';
  };
};

const absent = () => new RpcFailure('no_responders', 'rpc.organization.create-organization', false);

describe('the seed of a composition', () => {
  it('waits for services that start together with it', async () => {
    const withoutDatabase = new CodedError('service_unavailable', {});
    const attempt = refusing([absent(), withoutDatabase, absent()]);
    expect(await onceAnswered(attempt, { everyMs: 0 })).toBe('made');
  });

  it('fails at once where waiting changes nothing, and says why', async () => {
    const attempt = refusing([new CodedError('chat_api_error', {})]);
    await expect(onceAnswered(attempt, { everyMs: 0 })).rejects.toThrow('chat_api_error');
    await expect(onceAnswered(refusing([new Error('disk full')]))).rejects.toThrow('disk full');
  });

  it('says which part does not run once it has waited long enough', async () => {
    const failing = onceAnswered(refusing([absent()]), { timeoutMs: 0 });
    await expect(failing).rejects.toThrow('is not running');
    await expect(failing).rejects.toMatchObject({ advice: expect.stringContaining('/readyz') });
  });
});
