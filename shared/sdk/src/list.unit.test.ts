import { describe, expect, it } from '@jest/globals';
import { json, type Made, scripted, thrownBy } from './testing/scripted.ts';

const names = Array.from({ length: 250 }, (_, index) => ({ id: `template-${index}` }));

/** Answers the part of a list that the query names. */
const pageFrom =
  (items: readonly object[]) =>
  ({ url }: Made) => {
    const { searchParams } = new URL(url);
    const limit = Number(searchParams.get('limit') ?? 20);
    const offset = Number(searchParams.get('offset') ?? 0);
    const data = items.slice(offset, offset + limit);
    return json(200, { data, pagination: { limit, offset, total: items.length } });
  };

describe('a list', () => {
  it('is iterated to its end, a page at a time', async () => {
    const { stanza, made } = scripted(Array(3).fill(pageFrom(names)));
    const found: string[] = [];
    for await (const { id } of stanza.templates.list({ lifecycle: 'active' })) found.push(id);
    expect(found).toEqual(names.map(({ id }) => id));
    expect(made.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=100&lifecycle=active',
      '?limit=100&lifecycle=active&offset=100',
      '?limit=100&lifecycle=active&offset=200',
    ]);
  });

  it('fetches nothing more once the loop is left, and nothing before it begins', async () => {
    const { stanza, made } = scripted([pageFrom(names)]);
    const list = stanza.templates.list();
    expect(made).toEqual([]);
    for await (const { id } of list) if (id === 'template-40') break;
    expect(made).toHaveLength(1);
  });

  it('gives an item once that a new one has pushed to the next page', async () => {
    const { stanza } = scripted([pageFrom(names), pageFrom([{ id: 'new' }, ...names])]);
    const found: string[] = [];
    for await (const { id } of stanza.templates.list()) {
      found.push(id);
      if (found.length === 150) break;
    }
    expect(found).toEqual(names.slice(0, 150).map(({ id }) => id));
  });

  it.each([0, 10])('from %d gives every item to a loop that deletes what it reads', async (offset) => {
    const left = [...names];
    const { stanza } = scripted(Array(9).fill((made: Made) => pageFrom(left)(made)));
    const found: string[] = [];
    for await (const { id } of stanza.templates.list({ offset })) {
      found.push(id);
      if (found.length % 3 > 0)
        left.splice(
          left.findIndex((it) => it.id === id),
          1,
        );
    }
    expect(found).toEqual(names.slice(offset).map(({ id }) => id));
  });

  it.each([
    ['cursor', 'next_cursor'],
    ['before', 'next_before'],
  ])('is continued by its %s where it has one, also after a page without items', async (place, next) => {
    const page = (ids: string[], following: string | null) => () =>
      json(200, {
        data: ids.map((id) => ({ id })),
        pagination: { limit: 100, offset: 0, total: ids.length },
        [next]: following,
      });
    const { stanza, made } = scripted([page(['c', 'b'], 'b'), page([], 'a5'), page(['a'], null)]);
    const found: string[] = [];
    for await (const { id } of stanza.messages.list({ offset: 7 })) found.push(id);
    expect(found).toEqual(['c', 'b', 'a']);
    expect(made.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=100&offset=7',
      `?limit=100&${place}=b`,
      `?limit=100&${place}=a5`,
    ]);
  });

  it('is gone through where its cursor alone says where it continues, and ends where no more is there yet', async () => {
    const page = (ids: string[], next_cursor: string | null, more: object = {}) =>
      json(200, { data: ids.map((id) => ({ id })), next_cursor, ...more });
    const { stanza, made } = scripted([
      page(['c', 'b'], '2'),
      page(['a'], null),
      page(['1'], 'x', { has_more: true }),
      page(['2'], 'y', { has_more: false }),
    ]);
    const found: string[] = [];
    for await (const { id } of stanza.events.list({ limit: 2 })) found.push(id);
    for await (const { id } of stanza.auditLog.export()) found.push(id);
    expect(found).toEqual(['c', 'b', 'a', '1', '2']);
    expect(made.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=2',
      '?limit=2&cursor=2',
      '?limit=100',
      '?limit=100&cursor=x',
    ]);
  });

  it('of nothing has no items', async () => {
    const { stanza } = scripted([pageFrom([])]);
    for await (const item of stanza.queues.list()) throw new Error(`it has ${item.id}`);
  });

  it.each([{}, { data: null }, { data: {} }])('says that a page of %j is not of Stanza', async (content) => {
    const { stanza } = scripted([json(200, content), json(200, content)]);
    const refusal = { code: 'unreadable_answer', operation: 'messages.list', status: 200 };
    expect(await thrownBy(stanza.messages.list().page())).toMatchObject(refusal);
    expect(await thrownBy(stanza.messages.list()[Symbol.asyncIterator]().next())).toMatchObject(refusal);
  });

  it.each(['next_cursor', 'next_before'])('ends where a cache answers the same %s for ever', async (next) => {
    const page = json(200, { data: [{ id: 'a' }], [next]: 'a' });
    const { stanza, made } = scripted([page, page]);
    const items = stanza.messages.list()[Symbol.asyncIterator]();
    expect((await items.next()).value).toEqual({ id: 'a' });
    expect(await thrownBy(items.next())).toMatchObject({
      code: 'unreadable_answer',
      operation: 'messages.list',
    });
    expect(made).toHaveLength(2);
  });

  it('answers one page, with how many there are', async () => {
    const { stanza } = scripted([pageFrom(names)]);
    const { data, pagination, $answer } = await stanza.messages.list({ limit: 5, offset: 10 }).page();
    expect(data.map(({ id }) => id)).toEqual(names.slice(10, 15).map(({ id }) => id));
    expect([pagination.total, $answer.status]).toEqual([250, 200]);
  });
});
