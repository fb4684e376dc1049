import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aliasPlan, type HttpOperation, httpOperations, limits, rateOf } from '@stanza/contracts';
import type { Api, ApiAnswer, OperationInput } from '../kit/api.ts';
import { bodySchemaOf, parametersOf } from '../kit/openapi.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { type Home, openHome } from './home.ts';
import { type Mutation, mutate, type Path, unstorable } from './mutations.ts';
import { addressOf, callerOf, invalidStatus, isMadeByClient, unknownParams } from './valid-request.ts';
import { isObject, wrongTextsFor } from './values.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const issuesOf = (body: unknown): { code: string; path: Path; message: string }[] => {
  const error = isObject(body) && isObject(body.error) ? body.error.issues : undefined;
  return Array.isArray(error) ? error : [];
};

/** Refused as the contract says, and pointing at the place. */
const expectInvalid = ({ status, body }: ApiAnswer, path: Path, wanted = 422): void => {
  expect([status, body]).toEqual([
    wanted,
    expect.objectContaining({ success: false, code: 'validation_failed', request_id: expect.any(String) }),
  ]);
  const issues = issuesOf(body);
  expect(issues.map((it) => it.path)).toContainEqual(path);
  const line = issues.map((it) => `${it.path.join('.') || 'request'}: ${it.message}`).join('; ');
  expect(body).toHaveProperty('message', line);
  expect(body).toHaveProperty('error.name', 'ValidationError');
};

/** Mutations of a body: those of its schema, and none that the example cannot show. */
const mutationsOf = (operation: HttpOperation): Mutation[] => {
  const schema = bodySchemaOf(operation);
  if (!schema) return [];
  return [...mutate(schema, operation.example), ...unstorable(operation.example)];
};

const aliasesOf = (schema: HttpOperation['body'] | HttpOperation['query']): [string, string][] => [
  ...(aliasPlan(schema)?.aliases ?? []),
];

/** Whether the requests of one operation use up its rate; that of all changes is wider. */
const hasNarrowRate = (operation: HttpOperation): boolean =>
  ![undefined, 'writes'].includes(rateOf(operation));

describe('a request', () => {
  let world: World;
  /** Two, which take turns: one would use up its rate of changes. */
  let shared: Home[];

  beforeAll(async () => {
    world = await openWorld();
    shared = [await openHome(world), await openHome(world)];
  });
  afterAll(() => world.close());

  describe.each(httpOperations.filter((it) => it.access !== 'signed'))('for $id', (operation) => {
    let api: Api;

    // An organization has this many requests of a rate in a time: these operations need one of their own.
    beforeAll(async () => {
      const common = shared[httpOperations.indexOf(operation) % shared.length];
      api = await callerOf(operation, hasNarrowRate(operation) || !common ? await openHome(world) : common);
    });

    const params = unknownParams(operation);
    const invalid = invalidStatus(operation);
    const send = (input: OperationInput, options?: Parameters<Api['request']>[3]) =>
      api.request(operation.method, addressOf(operation, { params, ...input }), input.body, options);

    it('is named as the caller says', async () => {
      const headers = { 'x-request-id': 'matrix.A-1_b' };
      const { headers: answered, body, status } = await send({ query: { unknown_key: '1' } }, { headers });
      expect(answered.get('x-request-id')).toBe('matrix.A-1_b');
      // What others make may say more than is known.
      if (status >= 400) expect(body).toMatchObject({ request_id: 'matrix.A-1_b' });
    });

    it.each([
      ['without a name', undefined],
      ['with a name of other characters', 'a b'],
      ['with a name too long', 'x'.repeat(limits.requestId + 1)],
    ])('%s gets one', async (_, name) => {
      const headers: Record<string, string> = name === undefined ? {} : { 'x-request-id': name };
      const { headers: answered } = await send({ query: { unknown_key: '1' } }, { headers });
      expect(answered.get('x-request-id')).toMatch(uuid);
    });

    if (isMadeByClient(operation) || (operation.answers === 'scim' && operation.query)) {
      it('with an unknown key in its query is refused', async () => {
        expectInvalid(await send({ query: { unknown_key: '1' } }), ['unknown_key'], invalid);
      });
    }
    if (isMadeByClient(operation) && operation.method !== 'GET' && !operation.body) {
      it('with a key in a body that it does not take is refused', async () => {
        expectInvalid(await send({ body: { unknown_key: 1 } }), ['unknown_key'], invalid);
      });
    }

    for (const { name, place, schema } of parametersOf(operation)) {
      for (const [what, text] of wrongTextsFor(schema)) {
        it(`with ${what} as ${name} in its ${place} is refused`, async () => {
          const wrong = { [name]: text };
          const answer = await send(
            place === 'query' ? { query: wrong } : { params: { ...params, ...wrong } },
          );
          // RFC 7644, 3.12: an id of any form that names nothing is not found.
          const isNoId = operation.answers === 'scim' && place === 'path';
          const missing = operation.path.includes('Groups') ? 'not_found' : 'user_not_found';
          if (isNoId) expect([answer.status, answer.body]).toMatchObject([404, { code: missing }]);
          else expectInvalid(answer, [name], invalid);
        });
      }
    }

    for (const [alias, key] of aliasesOf(operation.query)) {
      it(`with both ${alias} and ${key}, and different values, in its query is refused`, async () => {
        const refused = await send({ query: { [alias]: 'one', [key]: 'other' } });
        expectInvalid(refused, [key], invalid);
        expect(refused.text).toContain('given twice');
      });
    }

    if (operation.body) describeBody();

    function describeBody(): void {
      for (const { title, path, change } of mutationsOf(operation)) {
        it(`with ${title} of its body is refused`, async () => {
          expectInvalid(await send({ body: change(operation.example) }), path, invalid);
        });
      }

      for (const [alias, key] of aliasesOf(operation.body)) {
        it(`with both ${alias} and ${key}, and different values, in its body is refused`, async () => {
          const refused = await send({
            body: { ...Object(operation.example), [alias]: 'one', [key]: 'other' },
          });
          expectInvalid(refused, [key], invalid);
          expect(refused.text).toContain('given twice');
        });
      }

      it.each([
        ['that is no JSON', '{"name":'],
        ['that is no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
        ['that is nested too deep', '['.repeat(limits.bodyDepth + 1) + ']'.repeat(limits.bodyDepth + 1)],
      ])('with a body %s is a bad request', async (_, raw) => {
        expect(await send({}, { raw })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      });

      it.each(['application/xml', 'multipart/form-data', 'application/jsonp'])(
        'with a body of the type %s is refused',
        async (type) => {
          const headers = { 'content-type': type };
          expect(await send({ body: operation.example }, { headers })).toMatchObject({
            status: 415,
            body: { code: 'unsupported_media_type' },
          });
        },
      );

      it('with a body of one byte too many is too large', async () => {
        const raw = JSON.stringify(operation.example).padEnd(operation.bodyLimit + 1);
        expect(await send({}, { raw })).toMatchObject({ status: 413, body: { code: 'invalid_request' } });
      });
    }
  });
});
