import { afterAll, beforeAll, describe, it } from '@jest/globals';
import {
  type ErrorCode,
  getBlockSchema,
  type HttpOperation,
  httpOperations,
  rateOf,
  rates,
} from '@stanza/contracts';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import type { Api } from '../kit/api.ts';
import type { JsonSchema } from '../kit/openapi.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { type Ids, valueFor } from './generate.ts';
import { type GeneratedRequest, requestFor } from './generated-request.ts';
import { type Home, openHome } from './home.ts';
import { nearly } from './hostile.ts';
import { addressOf, callerOf, freshly, paramsFor, positionsOf } from './valid-request.ts';
import { isObject } from './values.ts';

/** Requests to all operations together, at least. */
const wanted = cases(5_500, 700);

/** Requests that are under way at the same time. */
const together = 5;

/** STANZA_FUZZ_SEED repeats a run. */
const seed = Number(process.env.STANZA_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Failures that are the chat platform's answer to what the caller asked for. */
const refusalsOfOthers = ['chat_api_error', 'chat_dm_failed'] as const satisfies readonly ErrorCode[];

const fuzzed = httpOperations.filter((it) => it.access !== 'signed');

/** How much there is to try in a request. */
const weightOf = ({ body, query, params }: HttpOperation): number => {
  if (body) return 6;
  return params || query ? 2 : 0.5;
};

const weights = fuzzed.reduce((sum, operation) => sum + weightOf(operation), 0);

const roundsOf = (operation: HttpOperation): number =>
  Math.ceil((wanted * weightOf(operation)) / weights / together);

/** Blocks of every kind, from the service's own description of them. */
const blocksOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const definitions = isObject(schema.$defs) ? schema.$defs : {};
  const resolve = (it: JsonSchema): JsonSchema => {
    const found = definitions[String(it.$ref).replace('#/$defs/', '')];
    return isObject(found) ? resolve(found) : it;
  };
  const { items } = resolve(schema);
  const block = valueFor(isObject(items) ? items : {}, { ids: {}, resolve });
  return fc.oneof({ weight: 3, arbitrary: block }, { weight: 1, arbitrary: nearly(block) });
};

describe('any request to the API', () => {
  const answered = new Map<number, number>();
  let world: World;
  let block: fc.Arbitrary<unknown>;

  beforeAll(async () => {
    world = await openWorld();
    const { json_schema } = await (await openHome(world)).api.ok(getBlockSchema);
    block = blocksOf(json_schema);
  });
  afterAll(async () => {
    const counts = [...answered].sort(([one], [other]) => one - other);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const byStatus = counts.map(([status, count]) => `${status}: ${count}`).join(', ');
    console.log(`${total} generated requests with STANZA_FUZZ_SEED=${seed}; answers ${byStatus}`);
    await world.close();
  });

  const existing = async (operation: HttpOperation, home: Home): Promise<{ params: Ids; ids: Ids }> => {
    const make = freshly(home);
    const params = await paramsFor(operation, make);
    const ids: Record<string, string> = {};
    for (const { place, name, path } of positionsOf(operation)) {
      if (place !== 'params') ids[name] = await make(path, params);
    }
    return { params, ids };
  };

  /** Requests of one home, and who makes them there. */
  const settle = async (operation: HttpOperation) => {
    const home = await openHome(world);
    const request = requestFor(operation, { ...(await existing(operation, home)), block });
    const requests = fc.array(request, { minLength: together, maxLength: together });
    return { api: await callerOf(operation, home), requests };
  };

  /** A rate counts by organization, so that an operation with one is tried in several. */
  const settleAll = (operation: HttpOperation) => {
    const rate = rateOf(operation);
    const homes = rate ? Math.ceil((2 * roundsOf(operation) * together) / rates[rate].requests) : 1;
    return Promise.all(Array.from({ length: homes }, () => settle(operation)));
  };

  const ask = async (
    api: Api,
    operation: HttpOperation,
    { raw, headers, ...input }: GeneratedRequest,
  ): Promise<void> => {
    const address = addressOf(operation, input);
    const options = raw === undefined ? { headers } : { headers, raw };
    const { status, text } = await api.request(operation.method, address, undefined, options);
    answered.set(status, (answered.get(status) ?? 0) + 1);
    if (status < 500 || refusalsOfOthers.some((code) => text.includes(`"code":"${code}"`))) return;
    throw new Error(`${operation.method} ${address} ${JSON.stringify(options)} answered ${status}: ${text}`);
  };

  it.each(fuzzed)('$id answers as documented, and never by a failure of its own', async (operation) => {
    const homes = await settleAll(operation);
    const visits = fc.oneof(...homes.map(({ api, requests }) => requests.map((asked) => ({ api, asked }))));
    const property = fc.asyncProperty(visits, async ({ api, asked }) => {
      await Promise.all(asked.map((request) => ask(api, operation, request)));
    });
    // Asked again to find a smaller one, the service would not be in the state that it was in.
    await fc.assert(property, { seed, numRuns: roundsOf(operation), endOnFailure: true });
  });
});
