import { describe, expect, it } from '@jest/globals';
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
    const happened: string[] = [];
    const answers = headers.values();
    const send = pacedFetch(
      async (_, { method }) => {
        happened.push(method ?? 'GET');
        const ratelimit = answers.next().value;
        return new Response('{}', { headers: ratelimit === undefined ? {} : { ratelimit } });
      },
      {
        sleep: async (milliseconds) => {
          happened.push(`sleep ${milliseconds}`);
        },
        waits: (seconds) => happened.push(`waits ${seconds}`),
      },
    );
    return { send, happened };
  };

  it('waits where nothing is left of the rate that a request counts against, and says so', async () => {
    const { send, happened } = paced('"authoring";r=1;t=3', '"authoring";r=0;t=9', '"authoring";r=5;t=1');
    await send(template, { method: 'POST' });
    await send(other, { method: 'POST' });
    await send(template, { method: 'POST' });
    expect(happened).toEqual(['POST', 'POST', 'waits 9', 'sleep 9000', 'POST']);
  });

  it('lets what counts against no rate pass', async () => {
    const { send, happened } = paced('"authoring";r=0;t=9', undefined, undefined);
    await send(template, { method: 'POST' });
    await send(template, { method: 'GET' });
    await send(template, { method: 'GET' });
    expect(happened).toEqual(['POST', 'GET', 'GET']);
  });
});
