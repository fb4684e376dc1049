import { describe, expect, it } from '@jest/globals';
import { Stanza } from './client.ts';
import { failing, scripted, thrownBy } from './testing/scripted.ts';

const streamOf = (text: string): Response => {
  // In pieces, as a network delivers it.
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
    bytes.slice(at * 7, at * 7 + 7),
  );
  return new Response(ReadableStream.from(pieces), { headers: { 'content-type': 'text/event-stream' } });
};

const event = (id: string, data: object): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** Reads a stream for this many events. */
const take = async (stream: AsyncIterable<{ id: string }>, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of stream) if (ids.push(id) === count) break;
  return ids;
};

describe('a stream', () => {
  const first = 'retry: 1500\nid: place-0\n\n';

  it('gives the data of each event, and is opened again after the last one when it has ended', async () => {
    const { stanza, made, pauses } = scripted([
      () => streamOf(`${first}${event('place-1', { id: 'one: ä' })}id: place-2\n\n`),
      () =>
        streamOf(
          `${first}${event('place-3', { id: 'two' })}${event('place-4', { id: 'cut off' }).slice(0, -9)}`,
        ),
      () =>
        streamOf(
          `${event('place-4', { id: 'three' })}retry: 9000\nevent: end\ndata: {"reason":"lifetime"}\n\n`,
        ),
      () => streamOf(event('place-5', { id: 'four' })),
    ]);
    const opened: number[] = [];
    const stream = stanza.messages.stream({ status: 'sent' }, { onOpen: () => opened.push(made.length) });
    expect(await take(stream, 4)).toEqual(['one: ä', 'two', 'three', 'four']);
    expect(made.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([
      null,
      'place-2',
      'place-3',
      'place-4',
    ]);
    expect(made.every(({ url }) => new URL(url).searchParams.get('status') === 'sent')).toBe(true);
    expect(pauses).toEqual([1_500, 1_500, 9_000]);
    expect(opened).toEqual([1, 2, 3, 4]);
  });

  it('is opened again when its connection breaks', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(event('place-1', { id: 'one' }))),
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    const { stanza } = scripted([
      () => new Response(broken),
      () => streamOf(event('place-2', { id: 'two' })),
    ]);
    expect(await take(stanza.messages.stream(), 2)).toEqual(['one', 'two']);
  });

  it('waits for a place, and throws what does not pass', async () => {
    const { stanza, pauses } = scripted([
      failing(429, 'too_many_streams', { 'retry-after': '5' }),
      () => streamOf(event('place-1', { id: 'one' })),
      failing(401, 'invalid_token'),
    ]);
    const thrown = await thrownBy(take(stanza.messages.stream(), 2));
    expect(thrown).toMatchObject({ code: 'invalid_token', operation: 'messages.stream', status: 401 });
    expect(pauses).toEqual([5_000, 1_000]);
  });

  it('ends with the signal of its caller, whatever it waits for', async () => {
    const ending = new AbortController();
    const open = new ReadableStream<Uint8Array>({ pull: () => ending.abort() });
    const { stanza } = scripted([() => new Response(open)]);
    const thrown = await thrownBy(take(stanza.messages.stream({}, { signal: ending.signal }), 1));
    expect(thrown).toMatchObject({ code: 'aborted', operation: 'messages.stream' });
  });

  it('ends at once with a signal that is aborted before it waits', async () => {
    const ending = new AbortController();
    const open = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('retry: 600000\nid: place-0\n\n')),
      pull: () => ending.abort(),
    });
    const stanza = new Stanza({
      url: 'https://stanza.test',
      key: 'stz_test',
      fetch: async () => new Response(open),
    });
    const thrown = await thrownBy(take(stanza.messages.stream({}, { signal: ending.signal }), 1));
    expect(thrown).toMatchObject({ code: 'aborted', operation: 'messages.stream' });
  });
});
