import { describe, expect, it } from '@jest/globals';
import type { InputOf, listTemplates as listOperation, Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, greeting, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateVersion } from './get-template-version.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { listTemplates } from './list-templates.ts';

describe('reading', () => {
  const world = sharedByTests(openWorld);

  const append = (principal: Principal, id: string) =>
    ask(appendTemplateVersion(world()), { params: { id }, body: { blocks: greeting } }, principal);

  describe('list-templates', () => {
    type Query = InputOf<typeof listOperation>['query'];

    const list = (principal: Principal, query: Partial<Query> = {}) =>
      ask(
        listTemplates(world()),
        {
          query: { limit: 20, offset: 0, sort: '-created_at', ...query },
        },
        principal,
      );
    const names = async (principal: Principal, query: Partial<Query> = {}) =>
      (await list(principal, query)).data.map((it) => it.name);
    const create = async (principal: Principal, given: string[], body: object = {}) => {
      for (const name of given) await newTemplate(world(), principal, { name, ...body });
    };

    it('lists newest first, page by page, with the total of all pages', async () => {
      const principal = somebody();
      await create(principal, ['one', 'two', 'three']);
      const page = await list(principal, { limit: 2, offset: 1 });
      expect(page.data.map((it) => it.name)).toEqual(['two', 'one']);
      expect(page.pagination).toEqual({ limit: 2, offset: 1, total: 3 });
      const beyond = await list(principal, { offset: 10 });
      expect(beyond).toEqual({ data: [], pagination: { limit: 20, offset: 10, total: 3 } });
    });

    it('finds and sorts names beyond ASCII by Unicode rules', async () => {
      const principal = somebody();
      await create(principal, ['Zebra', 'Ärger', 'arg', 'ДЕПЛОЙ', 'Aal']);
      expect(await names(principal, { q: 'ä' })).toEqual(['Ärger']);
      expect(await names(principal, { q: 'ÄRG' })).toEqual(['Ärger']);
      expect(await names(principal, { q: 'деплой' })).toEqual(['ДЕПЛОЙ']);
      expect(await names(principal, { sort: 'name' })).toEqual(['Aal', 'arg', 'Ärger', 'Zebra', 'ДЕПЛОЙ']);
    });

    it('sorts by name ignoring case, and by the last change', async () => {
      const principal = somebody();
      await create(principal, ['beta', 'Alpha', 'Gamma']);
      expect(await names(principal, { sort: 'name' })).toEqual(['Alpha', 'beta', 'Gamma']);
      expect(await names(principal, { sort: '-name' })).toEqual(['Gamma', 'beta', 'Alpha']);
      expect(await names(principal, { sort: 'created_at' })).toEqual(['beta', 'Alpha', 'Gamma']);
      const { data } = await list(principal, { q: 'beta' });
      await append(principal, data[0]?.id ?? '');
      expect(await names(principal, { sort: '-updated_at' })).toEqual(['beta', 'Gamma', 'Alpha']);
      expect(await names(principal, { sort: 'updated_at' })).toEqual(['Alpha', 'Gamma', 'beta']);
    });

    it('filters by type and by lifecycle', async () => {
      const principal = somebody();
      await create(principal, ['plain']);
      await create(principal, ['digest', 'old digest'], { type: 'digest' });
      await world().rows(
        'update templates set archived_at = now() where organization_id = $1 and name = $2',
        [principal.organization_id, 'old digest'],
      );
      expect(await names(principal, { type: 'digest', sort: 'name' })).toEqual(['digest', 'old digest']);
      expect(await names(principal, { lifecycle: 'archived' })).toEqual(['old digest']);
      expect(await names(principal, { lifecycle: 'active', type: 'digest' })).toEqual(['digest']);
      expect((await list(principal, { lifecycle: 'archived' })).data[0]).toMatchObject({
        lifecycle: 'archived',
        archived_at: expect.any(String),
      });
    });

    it('A list of the live or of the other templates has all of them, with their number', async () => {
      const principal = somebody();
      await create(principal, ['draft', 'live one', 'live two']);
      await world().rows(
        `update templates
         set (current_version_id, current_version_number) = (
           select id, version_number from versions where versions.template_id = templates.id)
         where organization_id = $1 and name like 'live%'`,
        [principal.organization_id],
      );
      const live = await list(principal, { live: 'true', sort: 'name', limit: 1 });
      expect([live.data.map((it) => it.name), live.pagination.total]).toEqual([['live one'], 2]);
      expect(await names(principal, { live: 'false' })).toEqual(['draft']);
    });

    it('finds a part of the name in any case, and treats pattern characters literally', async () => {
      const principal = somebody();
      await create(principal, ['Deploy 50% off', 'deploy_done', 'DEPLOYED', 'back\\slash']);
      expect(await names(principal, { q: 'dEpLoY', sort: 'name' })).toHaveLength(3);
      expect(await names(principal, { q: '%' })).toEqual(['Deploy 50% off']);
      expect(await names(principal, { q: '_' })).toEqual(['deploy_done']);
      expect(await names(principal, { q: '\\' })).toEqual(['back\\slash']);
      expect(await names(principal, { q: "' or true --" })).toEqual([]);
    });

    it('shows no templates of other tenants', async () => {
      const principal = somebody();
      const preview = { ...principal, environment: 'preview' as const };
      await create(somebody(), ['theirs']);
      await create(principal, ['live']);
      await create(preview, ['trial']);
      expect(await names(principal)).toEqual(['live']);
      expect(await names(preview)).toEqual(['trial']);
    });
  });

  it.each([
    [
      'get-template',
      (by: Principal, params: { id: string; version_id: string }) =>
        ask(getTemplate(world()), { params }, by),
    ],
    [
      'get-template-version',
      (by: Principal, params: { id: string; version_id: string }) =>
        ask(getTemplateVersion(world()), { params }, by),
    ],
    [
      'list-template-versions',
      (by: Principal, params: { id: string; version_id: string }) =>
        ask(listTemplateVersions(world()), { params, query: { limit: 20, offset: 0 } }, by),
    ],
  ])('%s answers not_found for an unknown template and one of another tenant', async (_, read) => {
    const principal = somebody();
    const { id, version } = await newTemplate(world(), principal);
    const preview = { ...principal, environment: 'preview' as const };
    for (const [by, of] of [
      [principal, newId()],
      [somebody(), id],
      [preview, id],
    ] as const) {
      const refused = read(by, { id: of, version_id: version.id });
      await expect(refused).rejects.toMatchObject({ code: 'template_not_found' });
    }
  });

  it('reads a template and a version of it as answered at creation', async () => {
    const principal = somebody();
    const { version, ...template } = await newTemplate(world(), principal);
    const params = { id: template.id };
    const read = await ask(getTemplate(world()), { params }, principal);
    expect(read).toEqual({ ...template, current_version: null, draft: null });
    const byVersion = { params: { ...params, version_id: version.id } };
    expect(await ask(getTemplateVersion(world()), byVersion, principal)).toEqual(version);
  });

  it('answers not_found for an unknown version and one of another template of the caller', async () => {
    const principal = somebody();
    const one = await newTemplate(world(), principal);
    const other = await newTemplate(world(), principal);
    for (const version_id of [newId(), other.version.id]) {
      const input = { params: { id: one.id, version_id } };
      const refused = ask(getTemplateVersion(world()), input, principal);
      await expect(refused).rejects.toMatchObject({ code: 'version_not_found' });
    }
  });

  it('A list of templates has the newest version of each, as the list of its versions has it', async () => {
    const principal = somebody();
    const { id } = await newTemplate(world(), principal);
    await newTemplate(world(), principal, { name: 'Another' });
    for (let count = 0; count < 2; count += 1) await append(principal, id);
    const query = { limit: 20, offset: 0 };
    const listed = await ask(
      listTemplates(world()),
      { query: { ...query, sort: '-created_at' as const } },
      principal,
    );
    expect(listed.data.map((it) => it.newest_version?.version_number)).toEqual([1, 3]);
    const { data } = await ask(listTemplateVersions(world()), { params: { id }, query }, principal);
    expect(listed.data[1]?.newest_version).toEqual(data[0]);
  });

  it('lists versions newest first, page by page, without their content', async () => {
    const principal = somebody();
    const { id } = await newTemplate(world(), principal);
    for (let count = 0; count < 3; count += 1) await append(principal, id);
    const input = { params: { id }, query: { limit: 2, offset: 1 } };
    const page = await ask(listTemplateVersions(world()), input, principal);
    expect(page.pagination).toEqual({ limit: 2, offset: 1, total: 4 });
    expect(page.data.map((it) => it.version_number)).toEqual([3, 2]);
    expect(page.data[0]).not.toHaveProperty('blocks');
    expect(page.data[0]).toMatchObject({ template_id: id, status: 'draft', is_current: false, note: null });
  });
});
