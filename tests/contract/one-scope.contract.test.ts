import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  getTemplateDraft,
  getTemplateImpact,
  type HttpOperation,
  httpOperations,
  listBatches,
  type Scope,
  scopes,
} from '@stanza/contracts';
import { connectAgent, useTool } from '../kit/agent.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { type Canaries, type Kind, readers, storeCanaries, streamText, unread } from './canaries.ts';
import { particulars } from './fixtures/index.ts';
import { type Home, newMatrixOrganization, openHome } from './home.ts';
import { addressOf, type Maker, once, plausibleRequest } from './valid-request.ts';

const scopeOf = ({ access }: HttpOperation): Scope | undefined => scopes.find((scope) => scope === access);

const reads = httpOperations.flatMap((operation) => {
  const scope = scopeOf(operation);
  const isRead = operation.method === 'GET' || operation.readOnly === true;
  return isRead && operation.noGeneratedSuccess === undefined && scope !== undefined
    ? [{ id: operation.id, scope, operation }]
    : [];
});

/** Deletions come last: they take what the others look at. */
const writes = httpOperations
  .flatMap((operation) => {
    const scope = scopeOf(operation);
    const isRead = operation.method === 'GET' || operation.readOnly === true;
    return isRead || scope === undefined ? [] : [{ id: operation.id, scope, operation }];
  })
  .toSorted(
    (one, other) => Number(one.operation.method === 'DELETE') - Number(other.operation.method === 'DELETE'),
  );

describe('keys of one scope', () => {
  let world: World;
  let home: Home;
  let make: Maker;
  let canaries: Canaries;
  const keys = new Map<string, Promise<string>>();

  beforeAll(async () => {
    world = await openWorld();
    home = await openHome(world, await newMatrixOrganization(world));
    canaries = await storeCanaries(home, world);
    const { make: makeOnce } = once(home);
    make = async (path, above) => canaries.made[path] ?? makeOnce(path, above);
  });
  afterAll(() => world.close());

  const keyOf = (wanted: readonly Scope[]): Promise<string> => {
    const name = wanted.join();
    const known = keys.get(name) ?? home.organization.key({ scopes: [...wanted] }).then(({ key }) => key);
    keys.set(name, known);
    return known;
  };
  const ask = async (operation: HttpOperation, wanted: readonly Scope[], body?: object) => {
    const id = canaries.made['/templates/{id}'] ?? '';
    const own = operation === getTemplateDraft ? { params: { id } } : undefined;
    const special = body ? {} : (own ?? (await particulars[operation.id]?.(home)) ?? {});
    const request = await plausibleRequest(operation, make, special);
    const api = world.api.with(await keyOf(wanted));
    return api.request(operation.method, addressOf(operation, request), body ?? request.body);
  };
  /** The kinds of stored data that a text holds. */
  const seenIn = (text: string): Kind[] =>
    Object.entries(canaries.texts).flatMap(([kind, canary]) =>
      text.includes(canary) ? kinds.filter((known) => known === kind) : [],
    );
  const kinds = Object.keys(readers).filter((kind): kind is Kind => kind in readers);
  const readBy = (wanted: readonly Scope[]): Kind[] =>
    kinds.filter((kind) => readers[kind].some((scope) => wanted.includes(scope)));
  const expectOnly = (text: string, wanted: readonly Scope[]): void =>
    expect(seenIn(text).filter((kind) => !readBy(wanted).includes(kind))).toEqual([]);

  it.each(reads)('read no stored data but that of the scope: $id', async ({ operation, scope }) => {
    const { status, text } = await ask(operation, [scope]);
    expect([status, text]).toEqual([200, expect.any(String)]);
    expectOnly(text, [scope]);
  });

  it('read every kind of it where they have every scope', async () => {
    const texts = await Promise.all(reads.map(async ({ operation }) => (await ask(operation, scopes)).text));
    expect(seenIn(texts.join())).toEqual(kinds.filter((kind) => !unread.includes(kind)));
  });

  it('are told by the stream of messages what their scope reads', async () => {
    const text = await streamText(world.api, await keyOf(['usage:read']), {
      after: canaries.before,
      until: new RegExp(canaries.texts.named),
    });
    expect(seenIn(text)).toContain('named');
    expectOnly(text, ['usage:read']);
  });

  describe.each([
    ['an impact', 'messages:preview', getTemplateImpact],
    ['a refused activation', 'templates:activate', activateTemplateVersion],
  ] as const)('that ask for %s', (_, own, operation) => {
    const bodyOf = () =>
      operation === getTemplateImpact ? { blocks: canaries.hostileBlocks } : { accept_breaks: false };

    it('are told neither a value nor what becomes of data that they may not read', async () => {
      const { status, text } = await ask(operation, [own], bodyOf());
      expect(status).toBe(operation === getTemplateImpact ? 200 : 409);
      expect(seenIn(text)).toEqual([]);
      for (const path of [
        '/sample-data/{id}',
        '/scheduled-messages/{id}',
        '/queues/{id}/batches/{batch_id}',
      ]) {
        expect(text).not.toContain(canaries.made[path]);
      }
      for (const scope of ['sample-data:read', 'messages:create', 'queues:write'])
        expect(text).toContain(scope);
    });

    it.each([
      ['sample-data:read', '/sample-data/{id}'],
      ['messages:create', '/scheduled-messages/{id}'],
      ['queues:write', '/queues/{id}/batches/{batch_id}'],
    ] as const)(
      'are told that data breaks which they may read by %s, and no value of it',
      async (scope, path) => {
        const { text } = await ask(operation, [own, scope], bodyOf());
        // The scope by which a batch is read also reads the name of its queue.
        expect(seenIn(text).filter((kind) => kind !== 'queue')).toEqual([]);
        expectOnly(text, [own, scope]);
        expect(text).toContain(canaries.made[path]);
      },
    );
  });

  it('are told in the impact tool of agents what the interface tells them', async () => {
    const { key } = await home.organization.key({ scopes: ['templates:read', 'messages:preview'] });
    const agent = await connectAgent(world.api.base, key);
    try {
      const told = await useTool(agent, 'impact', {
        template: 'canary',
        blocks: canaries.hostileBlocks,
        whole: true,
      });
      expect(told.isError).toBe(false);
      expect(seenIn(JSON.stringify(told))).toEqual([]);
    } finally {
      await agent.close();
    }
  });

  it('read what a batch has left out, and no event of it', async () => {
    const { data } = await home.api.ok(listBatches, { params: canaries.leaving });
    expect(data[0]).toMatchObject({ left_out: expect.anything() });
    expect(seenIn(JSON.stringify(data))).toEqual([]);
  });

  it.each(writes)(
    'are told nothing else by what they change, or are refused: $id',
    async ({ operation, scope }) => {
      const { text } = await ask(operation, [scope]);
      expectOnly(text, [scope]);
    },
  );
});
