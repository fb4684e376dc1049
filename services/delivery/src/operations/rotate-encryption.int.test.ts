import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDestination as createDestinationOperation } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import {
  anotherProcess,
  ask,
  connected,
  openWorld,
  send,
  somebody,
  testKeys,
  type World,
} from '../testing/world.ts';
import { createDestination } from './create-destination.ts';
import { getSigningSecret } from './get-signing-secret.ts';
import { rotateEncryption } from './rotate-encryption.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';

const newer = `k3:${Buffer.alloc(32, 3).toString('base64')}`;

describe('rotate-encryption', () => {
  let world: World;
  let processes: { chat: { close: () => Promise<void> } }[];
  beforeEach(async () => {
    processes = [];
    world = await openWorld();
  });
  afterEach(async () => {
    for (const { chat } of processes) await chat.close();
    await world.close();
  });

  const processWith = (keys: string) => {
    const made = anotherProcess(world, { keys });
    processes.push(made);
    return made;
  };
  const countOf = (reply: { secrets: { kind: string; rotated: number; unreadable: number }[] }) =>
    Object.fromEntries(reply.secrets.map(({ kind, rotated, unreadable }) => [kind, [rotated, unreadable]]));
  const nothing = {
    chat_token: [0, 0],
    destination_headers: [0, 0],
    signing_secret: [0, 0],
    previous_signing_secret: [0, 0],
  };

  it('encrypts everything anew, so that the newest key alone reads it', async () => {
    const principal = await connected(world);
    await connected(world, { ...principal, environment: 'preview' });
    const body = createDestinationOperation.body?.parse({
      name: 'CRM',
      url: 'https://crm.example/hook',
      headers: { Authorization: 'Bearer s' },
    });
    const { id } = await ask(createDestination(world), { body }, principal);
    const secrets = await ask(rotateSigningSecret(world), { params: { id } }, principal);
    const rotating = processWith(`${newer},${testKeys}`);
    const reply = await ask(rotateEncryption(rotating), {});
    expect(reply).toMatchObject({ key_id: 'k3', done: true });
    expect(countOf(reply)).toEqual({
      chat_token: [2, 0],
      destination_headers: [1, 0],
      signing_secret: [1, 0],
      previous_signing_secret: [1, 0],
    });
    const after = processWith(newer);
    expect(await send(after, principal)).toMatchObject({ success: true });
    expect(await ask(getSigningSecret(after), { params: { id } }, principal)).toEqual(secrets);
  });

  it('has nothing to do the second time', async () => {
    await connected(world);
    const rotating = processWith(`${newer},${testKeys}`);
    await ask(rotateEncryption(rotating), {});
    expect(countOf(await ask(rotateEncryption(rotating), {}))).toEqual(nothing);
  });

  it('leaves what no key reads as it is, counts it, and goes on with the others', async () => {
    const lost = await connected(world);
    await world.rows("update chat_connections set token_key_id = 'k0' where organization_id = $1", [
      lost.organization_id,
    ]);
    const others = [await connected(world), await connected(world)];
    const rotating = processWith(`${newer},${testKeys}`);
    expect(countOf(await ask(rotateEncryption(rotating), {}))).toEqual({ ...nothing, chat_token: [2, 1] });
    const after = processWith(newer);
    for (const principal of others) expect(await send(after, principal)).toMatchObject({ success: true });
  });

  it('counts what another key of the same id has encrypted', async () => {
    await connected(world);
    const other = processWith(testKeys.replace(/^k2:[^,]+/, newer.replace('k3', 'k2')));
    expect(countOf(await ask(rotateEncryption(other), {}))).toEqual({ ...nothing, chat_token: [0, 1] });
  });

  it('reports that its time was not enough, and loses nothing', async () => {
    const principal = await connected(world, somebody());
    const rotating = processWith(`${newer},${testKeys}`);
    const late = newContext({ deadlineMs: 0 });
    expect(await ask(rotateEncryption(rotating), {}, undefined, late)).toMatchObject({ done: false });
    expect(await send(world, principal)).toMatchObject({ success: true });
  });
});
