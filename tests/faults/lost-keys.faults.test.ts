import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  createDestination,
  createKey,
  type InputOf,
  type InternalOperation,
  putChatConnection,
  type ReplyOf,
  rotateSigningSecret,
  updateDestination,
} from '@stanza/contracts';
import { newKey } from '@stanza/local/secrets';
import { newContext } from '@stanza/runtime';
import type { Api } from '../kit/api.ts';
import { RestartedStack } from '../kit/own-stack.ts';
import { signatureOf, startReceiver } from '../kit/receiver.ts';
import { sharedByTests } from '../kit/shared.ts';
import { liveTemplate } from '../kit/templates.ts';

describe('a stack whose keys are lost, with its data as it was', () => {
  const own = sharedByTests(() => RestartedStack.start('lost-keys'));
  const receiver = sharedByTests(startReceiver);

  /** Starts again with keys that have nothing to do with those before. */
  const loseKeys = async (): Promise<void> => {
    await own().stop();
    const file = join(own().directory, 'secrets.json');
    const kept = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...kept, encryption_keys: newKey(), key_hash_secrets: newKey() }));
    await own().start();
  };

  const operator = <O extends InternalOperation>(operation: O, input: InputOf<O>): Promise<ReplyOf<O>> =>
    own().world.rpc.call(operation, input, newContext({ deadlineMs: 10_000 }));

  it('refuses keys, sends and deliveries with their codes, until owners have made all that was lost anew', async () => {
    const organization = await own().world.newOrganization();
    const home = { organization_id: organization.id, environment: 'production' as const };
    const { key: old } = await organization.key();
    const before = own().world.api.with(old);
    const template = await liveTemplate(before);
    const { id } = await before.ok(createDestination, {
      body: { name: 'Tickets', url: receiver().url, headers: { 'X-Secret': 'of before' } },
    });
    const send = (api: Api) =>
      api.post('/v1/templates/send', { template_id: template.id, channel_id: 'C0DEPLOYS', data: {} });
    expect((await send(before)).status).toBe(200);

    await loseKeys();
    expect((await send(own().world.api.with(old))).status).toBe(401);
    const { key } = await operator(createKey, { ...home, name: 'after the loss' });
    const api = own().world.api.with(key);
    expect((await send(api)).body).toMatchObject({ code: 'chat_token_decrypt_failed' });
    const deliver = () => api.post(`/v1/destinations/${id}/test`, { payload: { number: 1 } });
    expect((await deliver()).body).toMatchObject({ code: 'misconfigured' });

    await operator(putChatConnection, { ...home, bot_token: 'xoxb-sandbox-again' });
    expect((await send(api)).status).toBe(200);
    await api.ok(updateDestination, { params: { id }, body: { headers: { 'X-Secret': 'of today' } } });
    const { secret, ...rest } = await api.ok(rotateSigningSecret, { params: { id } });
    expect(rest).toEqual({});
    expect((await deliver()).body).toMatchObject({ success: true });
    const [received, ...more] = receiver().received;
    if (received === undefined) throw new Error('nothing was received');
    expect([received.headers['x-secret'], more]).toEqual(['of today', []]);
    expect(received.headers['webhook-signature']).toBe(signatureOf(received, secret));
  });
});
