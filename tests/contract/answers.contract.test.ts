import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aliasPlan,
  type HttpOperation,
  httpOperations,
  takesIfMatch,
  takesIfNoneMatch,
} from '@stanza/contracts';
import { z } from 'zod';
import type { ApiAnswer } from '../kit/api.ts';
import { parametersOf } from '../kit/openapi.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';
import { type Home, openHome } from './home.ts';
import { addressOf, type ValidRequest, validRequest } from './valid-request.ts';
import { inOlderSpelling, isObject, sampleOf, shapeOf } from './values.ts';

const answering = httpOperations.filter((it) => it.noGeneratedSuccess === undefined);

/** Every query parameter of an operation with a value that it takes. A cursor continues, so nothing is skipped as well. */
const wholeQuery = (operation: HttpOperation): Record<string, string> => {
  const query = Object.fromEntries(
    parametersOf(operation)
      .filter(({ place }) => place === 'query')
      .map((parameter) => [parameter.name, sampleOf(parameter)]),
  );
  return 'cursor' in query && 'offset' in query ? { ...query, offset: '0' } : query;
};

const typeOf = ({ answers }: HttpOperation): RegExp =>
  answers === 'stream' ? /^text\/event-stream/ : /^application\/(scim\+)?json/;

const textsOf = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, String(inner)]))
    : {};

describe('the answer', () => {
  const world = sharedByTests(openWorld);

  describe.each(answering)('of $id', (operation) => {
    let home: Home;

    beforeAll(async () => {
      home = await openHome(world());
    });

    let read: Promise<ValidRequest> | undefined;
    /** A request that succeeds. A read leaves everything as it was, so that the same one serves all tests. */
    const valid = (): Promise<ValidRequest> => {
      if (operation.method !== 'GET') return validRequest(operation, home);
      read ??= validRequest(operation, home);
      return read;
    };

    const send = (
      input: ValidRequest,
      prefix = '/v1',
      raw?: string,
      headers: Record<string, string> = {},
    ): Promise<ApiAnswer> => {
      const options = raw === undefined ? { headers } : { raw, headers };
      return input.caller.request(operation.method, addressOf(operation, input, prefix), input.body, options);
    };
    const expectSuccess = ({ status, text }: ApiAnswer) =>
      expect(`${status} ${text}`).toMatch(new RegExp(`^${operation.status} `));
    const hasQuery = operation.query !== undefined;
    const withQuery = async (): Promise<ValidRequest> => {
      const request = await valid();
      return { ...request, query: { ...wholeQuery(operation), ...request.query } };
    };

    it('to a valid request is the documented one, and the same without /v1, which is deprecated', async () => {
      const answer = await send(await valid());
      expectSuccess(answer);
      expect(answer.headers.get('deprecation')).toBeNull();
      if (operation.status !== 204) expect(answer.headers.get('content-type')).toMatch(typeOf(operation));
      const older = await send(await valid(), '');
      expectSuccess(older);
      expect(shapeOf(older.body)).toEqual(shapeOf(answer.body));
      if (operation.answers === 'scim') expect(older.headers.get('deprecation')).toBeNull();
      else expect(older.headers.get('deprecation')).toMatch(/^@\d+$/);
    });

    if (hasQuery) {
      it('to a request with every query parameter is the documented one', async () => {
        expectSuccess(await send(await withQuery()));
      });
    }

    const queryPlan = aliasPlan(operation.query);
    if (queryPlan && queryPlan.aliases.size > 0) {
      it('is the same for the older spelling of the query, which is deprecated', async () => {
        const input = await withQuery();
        const query = textsOf(inOlderSpelling(queryPlan, input.query));
        const older = await send({ ...input, query });
        expectSuccess(older);
        expect(older.headers.get('deprecation')).toMatch(/^@\d+$/);
        const answer = await send(input);
        expect(answer.headers.get('deprecation')).toBeNull();
        expect(shapeOf(older.body)).toEqual(shapeOf(answer.body));
      });
    }

    const bodyPlan = aliasPlan(operation.body);
    const twin = inOlderSpelling(bodyPlan, operation.example);
    if (JSON.stringify(twin) !== JSON.stringify(operation.example)) {
      it('is the same for the older spelling of the body, which is deprecated', async () => {
        const input = await valid();
        const older = await send({ ...input, body: inOlderSpelling(bodyPlan, input.body) });
        expectSuccess(older);
        expect(older.headers.get('deprecation')).toMatch(/^@\d+$/);
        const answer = await send(await valid());
        expect(shapeOf(older.body)).toEqual(shapeOf(answer.body));
      });
    }

    if (operation.body) {
      it('to a body of exactly the limit is the documented one', async () => {
        const { body, ...input } = await valid();
        expectSuccess(await send(input, '/v1', JSON.stringify(body).padEnd(operation.bodyLimit)));
      });
    }

    if (takesIfNoneMatch(operation)) {
      it('is 304 without a body for a caller who has it, and in full for any other', async () => {
        const input = await valid();
        const answer = await send(input);
        const tag = answer.headers.get('etag') ?? '';
        expect(tag).toMatch(/^"[\w-]+"$/);
        const again = await send(input, '/v1', undefined, { 'if-none-match': `"other", W/${tag}` });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
        expect(again.headers.get('cache-control')).toBe('private, no-cache');
        const other = await send(input, '/v1', undefined, { 'if-none-match': '"other"' });
        expect([other.status, other.text]).toEqual([200, answer.text]);
      });
    }

    if (takesIfMatch(operation)) {
      it('is a refusal for a caller who has read another state, and a success for one who has read this one', async () => {
        const input = await valid();
        const read = httpOperations.find(({ method, path }) => method === 'GET' && path === operation.path);
        if (!read) throw new Error(`${operation.path} cannot be read`);
        const address = addressOf(read, { params: input.params });
        const tag = (await input.caller.request('GET', address)).headers.get('etag') ?? '';
        for (const other of ['"other"', '']) {
          const stale = await send(input, '/v1', undefined, { 'if-match': other });
          expect(stale).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
        }
        expect((await input.caller.request('GET', address)).headers.get('etag')).toBe(tag);
        const answer = await send(input, '/v1', undefined, { 'if-match': tag });
        expectSuccess(answer);
        const now = (await input.caller.request('GET', address)).headers.get('etag');
        expect([answer.headers.get('etag'), now === tag]).toEqual([now, false]);
      });
    }

    const { reply } = operation;
    const isList = reply instanceof z.ZodObject && 'pagination' in reply.shape;
    if (isList) {
      it.each([
        [1, 0],
        [100, 0],
        [1, 1],
      ])('has a page of limit %i and offset %i', async (limit, offset) => {
        const input = await valid();
        const query = { ...input.query, limit: String(limit), offset: String(offset) };
        const answer = await send({ ...input, query });
        expect(answer.body).toMatchObject({ pagination: { limit, offset, total: expect.any(Number) } });
      });

      it('has a first page of 20 where the request names no page', async () => {
        const answer = await send(await valid());
        expect(answer.body).toMatchObject({ pagination: { limit: 20, offset: 0 } });
      });
    }
  });
});
