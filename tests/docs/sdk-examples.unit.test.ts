import { describe, expect, it } from '@jest/globals';
import { type HttpOperation, openApiDocument } from '@stanza/contracts';
import { Stanza } from '@stanza/sdk';
import { sdkOperations } from '@stanza/sdk-emitter/operations';
import { z } from 'zod';
import { examples } from './examples/sdk.ts';
import { pageText } from './markdown.ts';

const shownAnswer = z.object({
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
});
const answered = z.object({
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), shownAnswer).optional() })),
});
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(JSON.parse(JSON.stringify(openApiDocument('open', 'in_place'))));

/** The answer of success that the documentation shows. */
const exampleReply = ({ path, method, status }: HttpOperation): unknown => {
  const { responses } = answered.parse(paths[`/v1${path}`]?.[method.toLowerCase()]);
  const [shown] = Object.values(responses[String(status)]?.content ?? {});
  return shown?.example ?? shown?.examples?.success?.value;
};

const pattern = ({ path }: HttpOperation): RegExp =>
  new RegExp(`^/v1${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** Answers as the documentation says, and takes only what the operation takes. */
const answering = (operation: HttpOperation) => {
  const calls: string[] = [];
  const check = async (url: string, { method, body }: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    const found = pattern(operation).exec(pathname);
    expect([method, found === null]).toEqual([operation.method, false]);
    operation.params?.parse({ ...found?.groups });
    operation.query?.parse(Object.fromEntries(searchParams));
    operation.body?.parse(typeof body === 'string' ? JSON.parse(body) : undefined);
    calls.push(operation.id);
    const reply = exampleReply(operation);
    const content = operation.answers === 'stream' ? String(reply) : JSON.stringify(reply);
    return new Response(operation.status === 204 ? null : content, { status: operation.status });
  };
  // What the client cannot know is told at once, and not taken for a broken connection.
  let problem: unknown;
  const send = (url: string, init: RequestInit): Promise<Response> =>
    check(url, init).catch((error: unknown) => {
      problem = error;
      return Response.json({ code: 'validation_failed' }, { status: 422 });
    });
  const stanza = new Stanza({ url: 'https://stanza.test', key: 'stz_1', fetch: send });
  return { stanza, calls, problem: () => problem };
};

const section = (name: string): string =>
  pageText('docs/sdk-reference.md').split(`\n### ${name}\n`)[1]?.split('\n### ')[0] ?? '';

describe('the example of a method of the SDK', () => {
  it('is on the page of the methods', () => {
    expect(Object.keys(examples)).toHaveLength(sdkOperations.length);
    for (const name of Object.keys(examples))
      expect(section(name)).toMatch(new RegExp(`\`\`\`ts\\n[^\`]*stanza\\.${name}\\(`));
  });

  it.each(sdkOperations.map((it) => [it.method.join('.'), it.source] as const))(
    'makes a request that the operation takes: %s',
    async (name, operation) => {
      const { stanza, calls, problem } = answering(operation);
      await examples[name]?.(stanza).catch((error: unknown) => {
        throw problem() ?? error;
      });
      expect(calls).toEqual([operation.id]);
    },
  );
});
