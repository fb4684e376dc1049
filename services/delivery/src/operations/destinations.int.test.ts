import { describe, expect, it } from '@jest/globals';
import {
  defaultTiers,
  type InputOf,
  type createDestination as operation,
  type Principal,
  resourceTag,
  updateDestination as updateDeclaration,
} from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import {
  anotherProcess,
  ask,
  auditLinesOf,
  openWorld,
  refusalOf,
  somebody,
  type World,
} from '../testing/world.ts';
import { checkDestination } from './check-destination.ts';
import { createDestination } from './create-destination.ts';
import { createEventSubscription } from './create-event-subscription.ts';
import { deleteDestination } from './delete-destination.ts';
import { deleteEventSubscription } from './delete-event-subscription.ts';
import { getDestination } from './get-destination.ts';
import { getSigningSecret } from './get-signing-secret.ts';
import { listDestinations } from './list-destinations.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { updateDestination } from './update-destination.ts';

type Body = InputOf<typeof operation>['body'];

const defaults = {
  name: 'Tickets',
  url: 'https://tickets.example.com/hooks',
  method: 'POST',
  headers: { Authorization: 'Bearer t0p-s3cret-token' },
  auth_type: 'bearer',
  is_active: true,
  retry_enabled: true,
  max_retries: 3,
  retry_strategy: 'exponential',
  retry_initial_delay_ms: 1_000,
  retry_max_delay_ms: 30_000,
  timeout_ms: 10_000,
} as const satisfies Body;

const masked = { Authorization: '********' };
const day = 24 * 3_600_000;

describe('destinations', () => {
  const world = sharedByTests(openWorld);

  const create = (
    principal: Principal,
    body: Partial<Body> = {},
    context = newContext({ deadlineMs: 15_000, principal }),
  ) => ask(createDestination(world()), { body: { ...defaults, ...body } }, principal, context);
  const read = (principal: Principal, id: string) =>
    ask(getDestination(world()), { params: { id } }, principal);
  const change = (principal: Principal, id: string, body: object) =>
    ask(updateDestination(world()), { params: { id }, body }, principal);
  const audited = (principal: Principal) => auditLinesOf(world(), principal);

  it('are as many as the tier allows in both environments, and two requests never take the last place', async () => {
    const principal = somebody();
    const { organization_id } = principal;
    world().allowanceOf.set(organization_id, { ...defaultTiers.free.stored, destinations: 2 });
    await create({ ...principal, environment: 'preview' });
    const context = newContext({ deadlineMs: 15_000, principal });
    const both = await Promise.allSettled([create(principal, {}, context), create(principal)]);
    expect(both.map((it) => it.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(create(principal)).rejects.toMatchObject({
      code: 'tier_limit',
      message: expect.stringContaining('allows 2 destinations'),
    });
    // A repeat of the one that took the last place finds it.
    if (both[0]?.status === 'fulfilled') expect(await create(principal, {}, context)).toEqual(both[0].value);
  });

  it('are changed by one of two callers who have read the same, whatever its deliveries came to meanwhile', async () => {
    const principal = somebody();
    const made = await create(principal);
    const ifMatch = resourceTag(made, updateDeclaration.entityTag ?? {});
    await world().rows('update destinations set consecutive_failures = 3 where id = $1', [made.id]);
    const changeAsRead = (name: string) =>
      ask(updateDestination(world()), { params: { id: made.id }, body: { name } }, principal, {
        ...newContext({ deadlineMs: 15_000, principal }),
        ifMatch,
      });
    const outcomes = await Promise.allSettled([changeAsRead('One'), changeAsRead('Other')]);
    expect(outcomes.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find((it) => it.status === 'rejected')).toMatchObject({
      reason: { code: 'changed_meanwhile' },
    });
    expect(await audited(principal)).toHaveLength(2);
  });

  it('are created, read and listed with the names of their headers alone', async () => {
    const principal = somebody();
    const made = await create(principal);
    expect(made).toMatchObject({ ...defaults, headers: masked, breaker: 'closed', consecutive_failures: 0 });
    expect(made).not.toHaveProperty('description');
    expect(await read(principal, made.id)).toEqual(made);
    const query = { limit: 20, offset: 0, sort: '-created_at' };
    const list = await ask(listDestinations(world()), { query }, principal);
    expect(list).toEqual({ data: [made], pagination: { limit: 20, offset: 0, total: 1 } });
    const idle = await ask(listDestinations(world()), { query: { ...query, is_active: 'false' } }, principal);
    expect(idle.data).toEqual([]);
  });

  it('are made once by one operation, however often it is delivered', async () => {
    const principal = somebody();
    const context = newContext({ deadlineMs: 15_000, principal });
    const [one, two] = [await create(principal, {}, context), await create(principal, {}, context)];
    expect(two).toEqual(one);
    expect((await audited(principal)).map(({ action }) => action)).toEqual(['destination.created']);
  });

  it('keep their headers when none are given, and lose them for an empty object', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    expect(await change(principal, id, { name: 'New' })).toMatchObject({ name: 'New', headers: masked });
    const replaced = { headers: { 'X-Key': 'k-1', 'X-Other': 'o-2' }, auth_type: 'custom' };
    expect(await change(principal, id, replaced)).toMatchObject({
      auth_type: 'custom',
      headers: { 'X-Key': '********', 'X-Other': '********' },
    });
    expect(await change(principal, id, { headers: {} })).toMatchObject({ headers: {} });
  });

  it.each([
    ['another host', 'https://two.example.com/hooks'],
    ['another port', 'https://tickets.example.com:8443/hooks'],
    ['another scheme', 'http://tickets.example.com/hooks'],
  ])('lose their headers and auth_type when their address alone changes to %s', async (_, url) => {
    const principal = somebody();
    const { id } = await create(principal);
    expect(await change(principal, id, { url })).toMatchObject({ url, headers: {}, auth_type: 'none' });
    expect((await audited(principal))[1]?.changes).toEqual({
      url: 'changed',
      host: { from: 'tickets.example.com', to: new URL(url).host },
      auth_type: { from: 'bearer', to: 'none' },
      header_names: [],
    });
  });

  it('keep their headers at a new path, and take those that are given with a new address', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    const path = 'https://tickets.example.com/other?team=red';
    expect(await change(principal, id, { url: path })).toMatchObject({
      headers: masked,
      auth_type: 'bearer',
    });
    const moved = { url: 'https://two.example.com/', headers: { authorization: 'Bearer another' } };
    expect(await change(principal, id, moved)).toMatchObject({
      headers: { authorization: '********' },
      auth_type: 'bearer',
    });
    const without = { url: 'https://three.example.com/', auth_type: 'bearer' };
    expect(await refusalOf(change(principal, id, without))).toMatchObject({ code: 'validation_failed' });
  });

  it.each([
    ['bearer', { Authorization: 'Basic dTpw' }],
    ['bearer', {}],
    ['basic', { authorization: 'Bearer abc' }],
  ] as const)('with auth_type %s are refused with the headers %j', async (auth_type, headers) => {
    const refusal = await refusalOf(create(somebody(), { auth_type, headers }));
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      facts: { issues: [{ path: ['headers'] }] },
    });
  });

  it('change their auth_type only to one that the stored headers suit', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    expect(await refusalOf(change(principal, id, { auth_type: 'basic' }))).toMatchObject({
      code: 'validation_failed',
    });
    expect(await change(principal, id, { auth_type: 'none' })).toMatchObject({ auth_type: 'none' });
    expect(await change(principal, id, { auth_type: 'bearer' })).toMatchObject({ auth_type: 'bearer' });
  });

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:8080/',
    'http://[::1]/',
    'http://2130706433/',
    'https://8.8.8.8:22/',
  ])('are refused at %s, when they are made and when they are changed', async (url) => {
    const principal = somebody();
    const issues = { code: 'validation_failed', facts: { issues: [{ path: ['url'] }] } };
    const allowed = {
      ...world(),
      destinations: {
        ...world().destinations,
        rules: { ...world().destinations.rules, allowed: { ranges: [], hosts: new Set<string>() } },
      },
    };
    const body = { ...defaults, url };
    expect(await refusalOf(ask(createDestination(allowed), { body }, principal))).toMatchObject(issues);
    const { id } = await create(principal);
    const input = { params: { id }, body: { url } };
    expect(await refusalOf(ask(updateDestination(allowed), input, principal))).toMatchObject(issues);
  });

  it('are put on record with what changed, without addresses and credentials', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    await change(principal, id, {
      name: 'Two',
      url: 'https://two.example.com/?token=t0p',
      headers: { 'X-Key': 'k3y' },
      auth_type: 'custom',
    });
    await change(principal, id, { name: 'Two' });
    await ask(rotateSigningSecret(world()), { params: { id } }, principal);
    await ask(getSigningSecret(world()), { params: { id } }, principal);
    await ask(deleteDestination(world()), { params: { id } }, principal);
    const lines = await audited(principal);
    expect(lines.map(({ action }) => action)).toEqual([
      'destination.created',
      'destination.updated',
      'destination.signing_secret_rotated',
      'destination.signing_secret_read',
      'destination.deleted',
    ]);
    expect(lines[1]?.changes).toEqual({
      name: { from: 'Tickets', to: 'Two' },
      url: 'changed',
      host: { from: 'tickets.example.com', to: 'two.example.com' },
      auth_type: { from: 'bearer', to: 'custom' },
      header_names: ['X-Key'],
    });
    expect(lines[3]).toMatchObject({ subject: { kind: 'destination', id }, changes: { name: 'Two' } });
  });

  it('are unknown to another organization and to the other environment', async () => {
    const owner = somebody();
    const { id } = await create(owner);
    for (const stranger of [somebody(), { ...owner, environment: 'preview' as const }]) {
      const input = { params: { id }, body: {} };
      for (const attempt of [
        read(stranger, id),
        ask(updateDestination(world()), input, stranger),
        ask(deleteDestination(world()), input, stranger),
        ask(getSigningSecret(world()), input, stranger),
        ask(rotateSigningSecret(world()), input, stranger),
      ]) {
        expect(await refusalOf(attempt)).toMatchObject({ code: 'not_found' });
      }
    }
    expect(await read(owner, id)).toMatchObject({ id });
    expect((await audited(owner)).map(({ action }) => action)).toEqual(['destination.created']);
  });

  it('lead elsewhere only by callers who may read what goes there', async () => {
    const principal = somebody();
    const url = 'https://tickets.example.com/hooks/of-another';
    const moving = async (id: string, ...scopes: Principal['scopes']) => {
      const blind: Principal = { ...principal, scopes: ['destinations:write', ...scopes] };
      return change(blind, id, { url });
    };
    const lacks = (scope: string) => ({
      code: 'insufficient_scope',
      facts: { required_scopes: ['destinations:write', scope], nothing_done: true },
    });

    const { id: subscribed } = await create(principal);
    const body = { destination_id: subscribed, types: ['message.failed' as const], is_active: true };
    await ask(createEventSubscription(world()), { body }, principal);
    expect(await refusalOf(moving(subscribed))).toMatchObject(lacks('usage:read'));
    expect(await read(principal, subscribed)).toMatchObject({ url: defaults.url });
    expect(await moving(subscribed, 'usage:read', 'interactions:read')).toMatchObject({ url });

    const { id: ofQueue } = await create(principal);
    world().others.answers.queues = [{ id: uuidv7(), name: 'Deploys' }];
    const refusal = await refusalOf(moving(ofQueue));
    const moved = await moving(ofQueue, 'queues:write', 'interactions:read');
    world().others.answers.queues = [];
    expect(refusal).toMatchObject(lacks('queues:write'));
    expect(moved).toMatchObject({ url });

    // A message in a chat may name it whose element nobody has used yet.
    const { id: unused } = await create(principal);
    expect(await refusalOf(moving(unused))).toMatchObject(lacks('interactions:read'));
    expect(await moving(unused, 'interactions:read')).toMatchObject({ url });
  });

  it('are not deleted while a queue delivers to them', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    const queue = { id: uuidv7(), name: 'Deploys' };
    world().others.answers.queues = [queue];
    const removing = (by: Principal) => refusalOf(ask(deleteDestination(world()), { params: { id } }, by));
    const refusal = await removing(principal);
    const blind = await removing({ ...principal, scopes: ['destinations:write'] });
    world().others.answers.queues = [];
    expect(refusal).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('Deploys') });
    expect(blind).toMatchObject({ message: `The destination is used by the queue (${queue.id}).` });
    expect(await read(principal, id)).toMatchObject({ id });
  });

  it('are not to be referred to while they are being deleted, and are again once that was refused', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    const { organization_id, environment } = principal;
    const check = () =>
      ask(checkDestination(world()), { organization_id, environment, destination_id: id }, principal);
    const checks: unknown[] = [];
    const rpc: World['rpc'] = {
      ...world().rpc,
      call: async (operation, input, context) => {
        checks.push(await refusalOf(check()));
        return world().others.call(operation, input, context);
      },
    };
    const removing = (on: Pick<World, 'database' | 'outbox' | 'clock' | 'rpc'>) =>
      ask(deleteDestination(on), { params: { id } }, principal);
    world().others.answers.queues = [{ id: uuidv7(), name: 'Deploys' }];
    expect(await refusalOf(removing({ ...world(), rpc }))).toMatchObject({ code: 'invalid_state' });
    world().others.answers.queues = [];
    expect(checks).toMatchObject([{ code: 'not_found' }]);
    expect(await check()).toMatchObject({ id });
    const body = { destination_id: id, types: ['message.failed' as const], is_active: true };
    const subscription = await ask(createEventSubscription(world()), { body }, principal);
    expect(await refusalOf(removing(world()))).toMatchObject({ code: 'invalid_state' });
    expect(await check()).toMatchObject({ id });
    await ask(deleteEventSubscription(world()), { params: { id: subscription.id } }, principal);
    // A process that has died leaves the mark.
    await world().rows('update destinations set deleting_at = clock_timestamp() where id = $1', [id]);
    expect(await refusalOf(check())).toMatchObject({ code: 'not_found' });
    world().clock.jump(61_000);
    expect(await check()).toMatchObject({ id });
    expect(await removing(world())).toMatchObject({ success: true });
  });

  it('are found by services that want to refer to them', async () => {
    const { organization_id, environment, ...principal } = somebody();
    const { id } = await create({ organization_id, environment, ...principal });
    const input = { organization_id, environment, destination_id: id };
    expect(await ask(checkDestination(world()), input)).toEqual({ id, name: 'Tickets', is_active: true });
    const unknown = ask(checkDestination(world()), { ...input, destination_id: uuidv7() });
    expect(await refusalOf(unknown)).toMatchObject({ code: 'not_found' });
  });

  it('have a signing secret, which signs for a day beside the one after it', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    const params = { params: { id } };
    const first = await ask(getSigningSecret(world()), params, principal);
    expect(first).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const rotated = await ask(rotateSigningSecret(world()), params, principal);
    expect(rotated).toMatchObject({ previous_secret: first.secret });
    expect(rotated.secret).not.toBe(first.secret);
    expect(await ask(getSigningSecret(world()), params, principal)).toEqual(rotated);
    world().clock.jump(day);
    expect(await ask(getSigningSecret(world()), params, principal)).toEqual({ secret: rotated.secret });
  });

  it('report that the encryption keys of their credentials are missing', async () => {
    const principal = somebody();
    const { id } = await create(principal);
    const strange = anotherProcess(world(), { keys: `k9:${Buffer.alloc(32, 9).toString('base64')}` });
    const refusal = await refusalOf(ask(getSigningSecret(strange), { params: { id } }, principal));
    expect(refusal).toMatchObject({ code: 'misconfigured' });
    // A new secret is the way out; the one before is next to it only where it can be read.
    const rotated = await ask(rotateSigningSecret(strange), { params: { id } }, principal);
    expect(rotated).toEqual({ secret: expect.stringMatching(/^whsec_/) });
    expect(await ask(getSigningSecret(strange), { params: { id } }, principal)).toEqual(rotated);
    await strange.chat.close();
  });
});
