import { describe, expect, it } from '@jest/globals';
import { Stanza } from '@stanza/sdk';
import { leftIn, pacedFetch } from './pace.ts';

const template = 'https://stanza.test/v1/templates/01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f/versions';
const other = 'https://stanza.test/v1/templates/01938c2e-7b1a-7c3d-9e4f-000000000000/versions';

describe('the header of a rate', () => {
  it.each([
    ['"authoring";r=7;t=42', { rate: 'authoring', requests: 7, seconds: 42 }],
    ['authoring', undefined],
    [null, undefined],
  ])('%j says what is left', (header, left) => {
    expect(leftIn(header)).toEqual(left);
  });
});

describe('the pace', () => {
  /** A server whose answers say in turn what is left of the rate. */
  const paced = (...headers: (string | undefined)[]) => {
    const made: string[] = [];
    const answers = headers.values();
    const send = pacedFetch(async (_, { method }) => {
      made.push(method ?? 'GET');
      const ratelimit = answers.next().value;
      return new Response('{}', { headers: ratelimit === undefined ? {} : { ratelimit } });
    });
    return { send, made };
  };

  it('refuses a request once where nothing is left of the rate that it counts against', async () => {
    const { send, made } = paced('"authoring";r=1;t=3', '"authoring";r=0;t=9', '"authoring";r=5;t=1');
    await send(template, { method: 'POST' });
    await send(other, { method: 'POST' });
    const refused = await send(template, { method: 'POST' });
    expect([refused.status, refused.headers.get('retry-after'), made.length]).toEqual([429, '9', 2]);
    expect((await send(template, { method: 'POST' })).status).toBe(200);
  });

  it('lets what counts against no rate pass', async () => {
    const { send, made } = paced('"authoring";r=0;t=9', undefined, undefined);
    await send(template, { method: 'POST' });
    await send(template, { method: 'GET' });
    await send(template, { method: 'GET' });
    expect(made).toEqual(['POST', 'GET', 'GET']);
  });

  it('makes the client wait between two attempts, so that the wait is no answer that is lost', async () => {
    const pauses: number[] = [];
    const { send, made } = paced('"authoring";r=0;t=50', undefined);
    const stanza = new Stanza(
      { url: 'https://stanza.test', key: 'stz_test_1', fetch: send },
      {
        now: () => 0,
        random: () => 0,
        sleep: async (milliseconds) => {
          pauses.push(milliseconds);
        },
      },
    );
    const id = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
    await stanza.templates.versions.activate(id, id);
    await stanza.templates.versions.activate(id, id);
    expect([pauses, made]).toEqual([[50_000], ['POST', 'POST']]);
  });
});
