import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, newTemplate, openWorld, somebody, strangersTo } from '../testing/world.ts';
import { createEntity } from './create-entity.ts';
import { searchEntities } from './search-entities.ts';
import { searchTemplates } from './search-templates.ts';

describe('a search', () => {
  const world = sharedByTests(openWorld);

  const search = (by: Principal, q: string | undefined, more: object = {}) =>
    ask(searchTemplates(world()), { query: { q, limit: 20, offset: 0, ...more } }, by);
  const names = async (by: Principal, q: string, more: object = {}) =>
    (await search(by, q, more)).data.map((it) => it.name);
  const create = async (by: Principal, ...given: (string | { name: string; description: string })[]) => {
    for (const it of given) await newTemplate(world(), by, typeof it === 'string' ? { name: it } : it);
  };

  it('ranks exact names first, then prefixes, words, parts, and descriptions last', async () => {
    const by = somebody();
    await create(
      by,
      { name: 'Release note', description: 'sent with each deploy' },
      'Undeployed',
      'Nightly deploy',
      'Deployment report',
      'Deploy',
      'Holiday greeting',
    );
    expect(await names(by, 'deploy')).toEqual([
      'Deploy',
      'Deployment report',
      'Nightly deploy',
      'Undeployed',
      'Release note',
    ]);
    const { data } = await search(by, 'deploy');
    const scores = data.map((it) => it.score);
    expect(scores).toEqual([...scores].sort((one, next) => next - one));
  });

  it('scores the first thousand of the matches: those that begin with the words, and the newest', async () => {
    const by = somebody();
    await create(by, 'Deploy of old');
    const [old] = (await search(by, 'deploy')).data;
    await world().rows(
      `insert into templates
       select (json_populate_record(template, json_build_object(
         'id', gen_random_uuid(), 'operation_id', gen_random_uuid(), 'name', 'Late deploy ' || n, 'updated_at', now() + n * interval '1 second'))).*
       from templates as template, generate_series(1, 1200) as n
       where id = $1`,
      [old?.id],
    );
    const { data, pagination } = await search(by, 'deploy');
    expect(pagination.total).toBe(1_000);
    expect(data[0]?.name).toBe('Deploy of old');
    const { data: last, pagination: beyond } = await search(by, 'deploy', { offset: 2_000 });
    expect([last, beyond.total]).toEqual([[], 1_000]);
  });

  it.each([
    ['reciept', 'Receipt'],
    ['deplyo', 'Deploy alert'],
    ['incdent', 'Incident summary'],
    ['invoise', 'Invoice table'],
    ['alert deploy', 'Deploy alert'],
    ['ARGER', 'Ärger mit Café'],
    ['café', 'Ärger mit Café'],
    ['деп', 'ДЕПЛОЙ'],
    ['v2', 'Survey v2'],
    ['50%', 'Now 50% off'],
  ])('for %j finds %j first', async (q, first) => {
    const by = somebody();
    await create(
      by,
      'Receipt',
      'Deploy alert',
      'Incident summary',
      'Invoice table',
      'Ärger mit Café',
      'ДЕПЛОЙ',
      'Survey v2',
      'Now 50% off',
      'Weekly chart',
    );
    expect((await names(by, q))[0]).toBe(first);
  });

  it('finds nothing for unrelated words, and treats pattern characters literally', async () => {
    const by = somebody();
    await create(by, 'Weekly chart', 'a_b', 'axb');
    expect(await names(by, 'zzzz')).toEqual([]);
    expect(await names(by, 'a_b')).toEqual(['a_b']);
    expect(await names(by, "x' or true --")).toEqual([]);
  });

  it.each([undefined, '', 'a', ' a ', '%%'])('for %j is refused', async (q) => {
    await expect(search(somebody(), q)).rejects.toMatchObject({ code: 'invalid_search_query' });
  });

  it('is answered page by page, with the total of all pages, optionally by lifecycle', async () => {
    const by = somebody();
    await create(by, 'Deploy one', 'Deploy two', 'Deploy three');
    await world().rows('update templates set archived_at = now() where organization_id = $1 and name = $2', [
      by.organization_id,
      'Deploy two',
    ]);
    const page = await search(by, 'deploy', { limit: 1, offset: 1 });
    expect(page.data).toHaveLength(1);
    expect(page.pagination).toEqual({ limit: 1, offset: 1, total: 3 });
    expect((await search(by, 'deploy', { offset: 9 })).pagination.total).toBe(3);
    expect(await names(by, 'deploy', { lifecycle: 'archived' })).toEqual(['Deploy two']);
    expect((await names(by, 'deploy', { lifecycle: 'active' })).sort()).toEqual([
      'Deploy one',
      'Deploy three',
    ]);
  });

  it('finds entities by name and description', async () => {
    const by = somebody();
    const make = (name: string, description: string) =>
      ask(createEntity(world()), { body: { name, description } }, by);
    await make('Customer', 'Who buys');
    const order = await make('Order', 'What a customer buys');
    const found = async (q: string, principal = by) => {
      const query = { q, limit: 20, offset: 0 };
      return (await ask(searchEntities(world()), { query }, principal)).data;
    };
    expect((await found('custmer')).map((it) => it.name)).toEqual(['Customer', 'Order']);
    const [first] = await found('order');
    const { fields, ...shown } = order;
    expect(first).toEqual({ ...shown, score: expect.any(Number) });
    expect(fields).toEqual([]);
    await expect(found('o')).rejects.toMatchObject({ code: 'invalid_search_query' });
    for (const stranger of strangersTo(by)) expect(await found('order', stranger)).toEqual([]);
  });

  it('shows nothing of other tenants', async () => {
    const by = somebody();
    await create(by, 'Deploy');
    for (const stranger of strangersTo(by)) expect(await names(stranger, 'deploy')).toEqual([]);
  });
});
