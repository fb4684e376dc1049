import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpOperation, httpOperations } from '@stanza/contracts';
import { v7 } from 'uuid';
import { fixtures, sharedPaths } from '../contract/fixtures/index.ts';
import { type Home, newMatrixOrganization, openHome } from '../contract/home.ts';
import {
  addressOf,
  callerOf,
  type Maker,
  once,
  type Position,
  paramsFor,
  plausibleRequest,
  positionsOf,
} from '../contract/valid-request.ts';
import { isObject } from '../contract/values.ts';
import type { ApiAnswer, OperationInput } from '../kit/api.ts';
import { openWorld, type World } from '../kit/stack.ts';

/** An environment with one of each resource that is asked for. */
interface Inhabited {
  home: Home;
  make: Maker;
  made: ReadonlyMap<string, Promise<string>>;
}

const strangers = ['another organization', 'the other environment'] as const;

const named = httpOperations.filter((it) => it.access !== 'signed' && positionsOf(it).length > 0);
/** What is read without naming anything but the organization of the caller. */
const lists = httpOperations.filter(
  (it) =>
    it.method === 'GET' &&
    it.answers !== 'page' &&
    positionsOf(it).every(({ place, path }) => place !== 'params' || fixtures[path]?.isOrganization),
);

const isShared = ({ path }: Position): boolean => fixtures[path]?.isShared === true;

const putAt = (input: OperationInput, { place, name }: Position, id: string): OperationInput => {
  const part = input[place];
  return { ...input, [place]: { ...(isObject(part) ? part : {}), [name]: id } };
};

/** Makes one of each resource, so that nothing of what is looked at changes later. */
const inhabit = async (home: Home): Promise<Inhabited> => {
  const { make, made } = once(home);
  for (const operation of named) await paramsFor(operation, make);
  return { home, make, made };
};

/** Status and body without what differs between any two requests: the request's name, and the id that was asked for. */
const comparable = ({ status, text }: ApiAnswer, asked: string): unknown => [
  status,
  text.replaceAll(asked, '<id>').replace(/"request_id":"[^"]*"/, '"request_id":"<name>"'),
];

describe('an id', () => {
  let world: World;
  let owner: Inhabited;
  const visitors = new Map<string, Inhabited>();

  beforeAll(async () => {
    world = await openWorld();
    const organization = await newMatrixOrganization(world);
    owner = await inhabit(await openHome(world, organization));
    visitors.set('another organization', await inhabit(await openHome(world)));
    visitors.set('the other environment', await inhabit(await openHome(world, organization, 'preview')));
  });
  afterAll(() => world.close());

  const visitorOf = (stranger: string): Inhabited => {
    const visitor = visitors.get(stranger);
    if (!visitor) throw new Error(`there is no visitor ${stranger}`);
    return visitor;
  };

  const send = async (operation: HttpOperation, home: Home, input: OperationInput): Promise<ApiAnswer> => {
    const api = await callerOf(operation, home);
    return api.request(operation.method, addressOf(operation, input), input.body);
  };

  /** What the owner of a resource sees of it and of what stands above it. */
  const seenByOwner = async (operation: HttpOperation): Promise<unknown[]> => {
    const readable = httpOperations.filter(
      (it) => it.method === 'GET' && positionsOf(operation).some(({ path }) => path === it.path),
    );
    return Promise.all(
      readable.map(async (read) => {
        const input = await plausibleRequest(read, owner.make);
        const { status, body } = await send(read, owner.home, input);
        return { id: read.id, status, body };
      }),
    );
  };

  /** A visitor's own request, with the owner's id at one place; and the same with an unknown id. */
  const visit = async (operation: HttpOperation, stranger: string, position: Position) => {
    const { home, make } = visitorOf(stranger);
    const own = await plausibleRequest(operation, make);
    const unknown = v7();
    const above = await paramsFor(operation, owner.make);
    const theirs = await owner.make(position.path, above);
    return {
      ofTheOwner: comparable(await send(operation, home, putAt(own, position, theirs)), theirs),
      ofNobody: comparable(await send(operation, home, putAt(own, position, unknown)), unknown),
    };
  };

  describe.each(strangers)('of %s', (stranger) => {
    const cases = named.flatMap((operation) =>
      positionsOf(operation)
        .filter((position) => stranger === 'another organization' || !isShared(position))
        .map((position) => ({
          id: operation.id,
          name: position.name,
          place: position.place,
          operation,
          position,
        })),
    );

    it.each(cases)(
      'as $name in the $place of $id is treated as an unknown one',
      async ({ operation, position }) => {
        const before = await seenByOwner(operation);
        const { ofTheOwner, ofNobody } = await visit(operation, stranger, position);
        expect(ofTheOwner).toEqual(ofNobody);
        expect(await seenByOwner(operation)).toEqual(before);
      },
    );

    // No key of the preview environment gets as far in an operation that changes the whole organization.
    const asked = cases.filter(
      ({ operation }) => stranger === 'another organization' || !operation.organizationWide,
    );
    it.each(asked.filter(({ position }) => position.isNeeded))(
      'that is unknown, as $name in the $place of $id, is not found',
      async ({ operation, position }) => {
        const { ofNobody } = await visit(operation, stranger, position);
        expect(ofNobody).toEqual([404, expect.stringMatching(/"code":"[a-z_]*not_found"/)]);
      },
    );

    const read = lists.filter(
      ({ path, organizationWide }) =>
        stranger === 'another organization' || !(organizationWide || sharedPaths.includes(path)),
    );
    it.each(read)('is in no answer of $id', async (operation) => {
      const { home, make } = visitorOf(stranger);
      const isPaged = operation.query !== undefined && 'limit' in operation.query.shape;
      const query: Record<string, string> = isPaged ? { limit: '100' } : {};
      const answer = await send(operation, home, await plausibleRequest(operation, make, { query }));
      expect(answer.status).toBe(operation.status);
      for (const [path, made] of owner.made) {
        const isOurs = stranger === 'the other environment' && fixtures[path]?.isShared === true;
        if (!isOurs) expect(answer.text).not.toContain(await made);
      }
    });
  });
});
