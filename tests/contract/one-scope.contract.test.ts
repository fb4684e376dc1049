import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getBatch,
  type HttpOperation,
  httpOperations,
  inviteMember,
  pushEvents,
  type Scope,
  scopes,
} from '@stanza/contracts';
import { v7 } from 'uuid';
import { openWorld, type World } from '../kit/stack.ts';
import { particulars } from './fixtures/index.ts';
import { type Home, newMatrixOrganization, openHome } from './home.ts';
import { addressOf, type Maker, once, plausibleRequest } from './valid-request.ts';

const scopeOf = ({ access }: HttpOperation): Scope | undefined => scopes.find((scope) => scope === access);

const reads = httpOperations.flatMap((operation) => {
  const scope = scopeOf(operation);
  const isRead = operation.method === 'GET' && operation.noGeneratedSuccess === undefined;
  return isRead && scope !== undefined ? [{ id: operation.id, scope, operation }] : [];
});

/** What customers pushed, and whom they invited: each shows in these answers alone. */
const markers = {
  event: `event-${v7()}`,
  invited: `invited-${v7()}@example.com`,
};
const entitled: Readonly<Record<keyof typeof markers, readonly string[]>> = {
  event: [],
  invited: ['list-invitations', 'list-audit-log', 'export-audit-log'],
};

describe('keys of one scope', () => {
  let world: World;
  let home: Home;
  let make: Maker;
  const keys = new Map<string, Promise<string>>();

  beforeAll(async () => {
    world = await openWorld();
    home = await openHome(world, await newMatrixOrganization(world));
    make = once(home).make;
    const { api, organization } = home;
    const id = await make('/queues/{id}', {});
    await make('/queues/{id}/batches/{batch_id}', { id });
    await api.ok(pushEvents, { params: { id }, body: { events: [{ text: markers.event }] } });
    const body = { email: markers.invited, role: 'viewer' };
    await api.ok(inviteMember, { params: { id: organization.id }, body });
  });
  afterAll(() => world.close());

  const keyOf = (wanted: Scope[]): Promise<string> => {
    const name = wanted.join();
    const known = keys.get(name) ?? home.organization.key({ scopes: wanted }).then(({ key }) => key);
    keys.set(name, known);
    return known;
  };
  const read = async (operation: HttpOperation, wanted: Scope[]) => {
    const special = (await particulars[operation.id]?.(home)) ?? {};
    const request = await plausibleRequest(operation, make, special);
    const api = world.api.with(await keyOf(wanted));
    return api.request(operation.method, addressOf(operation, request));
  };

  it.each(reads)(
    'read neither events nor invitations, unless it is for those: $id',
    async ({ operation, scope, id }) => {
      const { status, text } = await read(operation, [scope]);
      expect([status, text]).toEqual([200, expect.any(String)]);
      for (const name of ['event', 'invited'] as const) {
        if (!entitled[name].includes(id)) expect(text).not.toContain(markers[name]);
      }
    },
  );

  it('read them where they are for those', async () => {
    const invitations = reads.find(({ id }) => id === 'list-invitations');
    expect(invitations?.scope).toBe('users:read');
    if (invitations) {
      expect((await read(invitations.operation, ['users:read'])).text).toContain(markers.invited);
    }
    const batch = await read(getBatch, ['organizations:read', 'queues:write']);
    expect(batch.text).toContain(markers.event);
  });
});
