import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import { type Stack, startStack } from '@stanza/local';
import { newKey } from '@stanza/local/secrets';
import { newContext } from '@stanza/runtime';
import type { Api } from '../kit/api.ts';
import { type Receiver, signatureOf, startReceiver } from '../kit/receiver.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

describe('a stack whose keys are lost, with its data as it was', () => {
  let directory: string;
  let stack: Stack;
  let world: World;
  let receiver: Receiver;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stanza-lost-keys-'));
    receiver = await startReceiver();
    stack = await startStack({ directory, seed: false });
    world = await openWorld(stack.info);
  }, 180_000);
  afterAll(async () => {
    await world?.close();
    await stack?.stop();
    await receiver?.close();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  /** Starts again with keys that have nothing to do with those before. */
  const loseKeys = async (): Promise<void> => {
    await world.close();
    await stack.stop();
    const file = join(directory, 'secrets.json');
    const kept = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...kept, encryption_keys: newKey(), key_hash_secrets: newKey() }));
    stack = await startStack({ directory, seed: false });
    world = await openWorld(stack.info);
  };

  const operator = <O extends InternalOperation>(operation: O, input: InputOf<O>): Promise<ReplyOf<O>> =>
    world.rpc.call(operation, input, newContext({ deadlineMs: 10_000 }));

  it('refuses keys, sends and deliveries with their codes, until owners have made all that was lost anew', async () => {
    const organization = await world.newOrganization();
    const home = { organization_id: organization.id, environment: 'production' as const };
    const { key: old } = await organization.key();
    const before = world.api.with(old);
    const template = await liveTemplate(before);
    const { id } = await before.ok(createDestination, {
      body: { name: 'Tickets', url: receiver.url, headers: { 'X-Secret': 'of before' } },
    });
    const send = (api: Api) =>
      api.post('/v1/templates/send', { template_id: template.id, channel_id: 'C0DEPLOYS', data: {} });
    expect((await send(before)).status).toBe(200);

    await loseKeys();
    expect((await send(world.api.with(old))).status).toBe(401);
    const { key } = await operator(createKey, { ...home, name: 'after the loss' });
    const api = world.api.with(key);
    expect((await send(api)).body).toMatchObject({ code: 'chat_token_decrypt_failed' });
    const deliver = () => api.post(`/v1/destinations/${id}/test`, { payload: { number: 1 } });
    expect((await deliver()).body).toMatchObject({ code: 'misconfigured' });

    await operator(putChatConnection, { ...home, bot_token: 'xoxb-sandbox-again' });
    expect((await send(api)).status).toBe(200);
    await api.ok(updateDestination, { params: { id }, body: { headers: { 'X-Secret': 'of today' } } });
    const { secret, ...rest } = await api.ok(rotateSigningSecret, { params: { id } });
    expect(rest).toEqual({});
    expect((await deliver()).body).toMatchObject({ success: true });
    const [received, ...more] = receiver.received;
    if (received === undefined) throw new Error('nothing was received');
    expect([received.headers['x-secret'], more]).toEqual(['of today', []]);
    expect(received.headers['webhook-signature']).toBe(signatureOf(received, secret));
  }, 120_000);
});
