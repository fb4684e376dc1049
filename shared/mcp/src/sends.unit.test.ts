import { describe, expect, it } from '@jest/globals';
import { Stanza } from '@stanza/sdk';
import { listedSendTools, sendScopes, sendToolNamed } from './sends.ts';
import { tokensOfTool } from './server.ts';
import { offered } from './tool.ts';
import { tools } from './tools/index.ts';

const json = (value: unknown) => Response.json(value);

/** The API with templates that are switched on, each of which reads as many values as asked for. */
const apiWith = (keys: readonly string[], values = 1): Stanza =>
  new Stanza({
    url: 'http://127.0.0.1:1',
    key: 'none',
    fetch: async (url) => {
      const { pathname, searchParams } = new URL(String(url));
      if (pathname.endsWith('/input-schema')) {
        const names = Array.from({ length: values }, (_, index) => `value_${index}`);
        const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
        return json({ json_schema: { type: 'object', properties, required: names } });
      }
      const wanted = searchParams.get('key');
      const data = keys
        .filter((key) => wanted === null || key === wanted)
        .map((key) => ({ id: key, key, current_version_id: key === 'never-live' ? null : 'version' }));
      return json({ data, pagination: { offset: 0, limit: 50, total: data.length } });
    },
  });

const many = Array.from({ length: 20 }, (_, index) => `news-${index}`);
const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

describe('the tools that send', () => {
  it('fill a list up to sixteen tools, in the order of the API', async () => {
    const found = await listedSendTools(apiWith(many), { tools: 7, tokens: 1_000 }, tokensOfTool);
    expect(namesOf(found)).toEqual(many.slice(0, 9).map((key) => `send_${key}`));
    expect(await listedSendTools(apiWith(many), { tools: 16, tokens: 1_000 }, tokensOfTool)).toEqual([]);
  });

  it('have room for nine templates beside the tools that read', async () => {
    const own = tools.filter(({ scopes }) => scopes.every((it) => sendScopes.includes(it))).map(offered);
    const tokens = own.reduce((sum, one) => sum + tokensOfTool(one), 0);
    const found = await listedSendTools(apiWith(many), { tools: own.length, tokens }, tokensOfTool);
    expect(found).toHaveLength(9);
  });

  it('leave a list within its 6,000 tokens, however much their templates read', async () => {
    const beside = { tools: 7, tokens: 3_000 };
    for (const values of [1, 12, 500]) {
      const found = await listedSendTools(apiWith(many, values), beside, tokensOfTool);
      const tokens = found.reduce((sum, one) => sum + tokensOfTool(one), beside.tokens);
      expect(found.length).toBeGreaterThan(2);
      expect(tokens).toBeLessThanOrEqual(6_000);
    }
  });

  it('take the data that a template requires, and whatever data where that would be too long', async () => {
    const schemaOf = async (values: number) => {
      const [one] = await sendToolNamed(apiWith(['news'], values), 'send_news');
      return one?.input['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    };
    expect(await schemaOf(1)).toMatchObject({
      properties: {
        data: { type: 'object', properties: { value_0: { type: 'string' } }, required: ['value_0'] },
        idempotency_key: { type: 'string' },
      },
      required: ['data', 'idempotency_key'],
    });
    expect(await schemaOf(500)).toMatchObject({ properties: { data: { description: expect.any(String) } } });
  });

  it('are found by name beyond what is listed, and not for a template that is not live', async () => {
    expect(namesOf(await sendToolNamed(apiWith(many), 'send_news-19'))).toEqual(['send_news-19']);
    expect(await sendToolNamed(apiWith(['never-live']), 'send_never-live')).toEqual([]);
    expect(await sendToolNamed(apiWith(many), 'send_else')).toEqual([]);
  });
});
