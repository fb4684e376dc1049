import { describe, expect, it } from '@jest/globals';
import { verify } from '@stanza/sdk';
import { signedHeaders } from './commands/listen.ts';

describe('the signature of a forwarded delivery', () => {
  it('is the one that the SDK checks', async () => {
    const secret = `whsec_${Buffer.from('the secret of a destination').toString('base64')}`;
    const [payload, at] = ['{"größe":1}', new Date()];
    const headers = signedHeaders(secret, { id: 'delivery-1', payload, at });
    expect(await verify({ headers, body: payload }, { secret })).toMatchObject({
      id: 'delivery-1',
      payload: { größe: 1 },
    });
    await expect(verify({ headers, body: `${payload} ` }, { secret })).rejects.toThrow('invalid_signature');
  });
});
