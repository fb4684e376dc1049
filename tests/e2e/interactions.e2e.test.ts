import { describe, expect, it } from '@jest/globals';
import { signatureHeaders } from '@stanza/contracts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';

const path = '/v1/chat/interactions';
const raw = new URLSearchParams({ payload: '{"type":"block_actions"}' }).toString();

describe('the address of the chat platform', () => {
  const world = sharedByTests(openWorld);

  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    world().api.post(path, undefined, {
      raw: body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const signedBy = (signature: string, at = Math.floor(Date.now() / 1_000)) => ({
    [signatureHeaders.timestamp]: String(at),
    [signatureHeaders.signature]: signature,
  });

  it.each([
    ['no signature', {}],
    ['the signature of somebody else', signedBy(`v0=${'0'.repeat(64)}`)],
    ['one that is none', signedBy('v0=')],
    ['an old one', signedBy(`v0=${'0'.repeat(64)}`, 1_531_420_618)],
  ])('refuses %s', async (_, headers) => {
    const { status, body } = await post(raw, headers);
    expect([status, body]).toMatchObject([401, { code: 'invalid_signature' }]);
  });

  it('refuses it whatever the body is, before anything is read', async () => {
    for (const body of ['', '{', new Uint8Array([0xff, 0xfe, 0x00]), 'payload=%'])
      expect((await post(body, signedBy('v0=1'))).body).toMatchObject({ code: 'invalid_signature' });
  });

  it('The address reads a submission as large as the largest modal makes it, of which a form writes each letter as six', async () => {
    const payload = JSON.stringify({ type: 'view_submission', view: { blocks: 'ж'.repeat(125_000) } });
    const { status, body } = await post(
      new URLSearchParams({ payload }).toString(),
      signedBy(`v0=${'0'.repeat(64)}`),
    );
    expect([status, body]).toMatchObject([401, { code: 'invalid_signature' }]);
  });

  it('takes no body that is larger than its limit, from one who may have signed it', async () => {
    const large = `payload=${'x'.repeat(2 * 1_024 * 1_024)}`;
    const { status, body } = await post(large, signedBy(`v0=${'0'.repeat(64)}`));
    expect([status, body]).toMatchObject([413, { code: 'invalid_request' }]);
  });
});
