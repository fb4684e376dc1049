import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Block, Principal } from '@stanza/contracts';
import { partialsIn } from '@stanza/engine';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newPartial, use } from '../testing/partials.ts';
import { ask, newTemplate, openWorld, recordedAudit, somebody, strangersTo } from '../testing/world.ts';
import { activatePartialVersion } from './activate-partial-version.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendPartialVersion } from './append-partial-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archivePartial } from './archive-partial.ts';
import { createPartial } from './create-partial.ts';
import { deletePartial } from './delete-partial.ts';
import { diffPartialVersions } from './diff-partial-versions.ts';
import { diffTemplateVersions } from './diff-template-versions.ts';
import { expandBlocks } from './expand-blocks.ts';
import { getPartial } from './get-partial.ts';
import { getPartialVersion } from './get-partial-version.ts';
import { getTemplate } from './get-template.ts';
import { listPartialActivations } from './list-partial-activations.ts';
import { listPartialVersions } from './list-partial-versions.ts';
import { listPartials } from './list-partials.ts';
import { listTemplates } from './list-templates.ts';
import { resolveLiveVersions } from './resolve-live-versions.ts';
import { searchTemplates } from './search-templates.ts';
import { unarchivePartial } from './unarchive-partial.ts';
import { updatePartial } from './update-partial.ts';

const page = { limit: 20, offset: 0, sort: 'name' as const };
const line = (text: string) => [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }];

describe('a partial', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;
  beforeEach(() => {
    principal = somebody();
  });

  const footer = (body: object = {}) => newPartial(world(), principal, { key: 'footer', ...body });
  const append = (id: string, blocks: Block[], by = principal) =>
    ask(appendPartialVersion(world()), { params: { id }, body: { blocks } }, by);
  const activate = (id: string, version_id: string) =>
    ask(activatePartialVersion(world()), { params: { id, version_id }, body: {} }, principal);
  const read = (id: string, by = principal) => ask(getPartial(world()), { params: { id } }, by);
  const archive = (id: string, by = principal) => ask(archivePartial(world()), { params: { id } }, by);
  const remove = (id: string, by = principal) => ask(deletePartial(world()), { params: { id } }, by);
  const save = (blocks: Block[]) => newTemplate(world(), principal, { blocks });
  const problemsOf = async (saving: Promise<unknown>) => {
    const failure = await saving.then(
      () => undefined,
      (err: unknown) => err,
    );
    expect(failure).toMatchObject({ code: 'compilation_failed' });
    return JSON.parse(Object(failure).facts.error_details);
  };

  it('brings texts in languages of its own, and a template has its texts beside them', async () => {
    const texts = (translations: object) => ({ type: 'directive', directive: '#translations', translations });
    const own = { en: { by: 'by {{author}}' }, fr: { by: 'par {{author}}' } };
    await footer({ blocks: [...line('{{@t.by}}'), texts(own)] });
    const blocksWith = (de: string) => [
      ...line('{{@t.title}}'),
      use('footer', { author: 'user.name' }),
      texts({ en: { title: '{{id}}' }, de: { title: de } }),
    ];
    const { id, version } = await save(blocksWith('Nr. {{id}}'));
    expect(version.blocks).toMatchObject([
      { type: 'context' },
      { directive: '#with', children: [{ type: 'context' }, { translations: own }] },
      { directive: '#translations' },
    ]);
    expect(version.request_format).toEqual({ id: null, 'user.name': null });
    const saveNext = (blocks: Block[]) =>
      ask(appendTemplateVersion(world()), { params: { id }, body: { blocks } }, principal);
    const next = await saveNext(blocksWith('№ {{id}}'));
    const query = { against: version.id };
    const params = { id, version_id: next.id };
    const diff = await ask(diffTemplateVersions(world()), { params, query }, principal);
    expect(diff.changed).toMatchObject([
      { changes: [{ op: 'replace', pointer: '/blocks/2/translations/de/title', to: '№ {{id}}' }] },
    ]);
    expect(await problemsOf(saveNext(blocksWith('{{nr}}')))).toMatchObject([
      { rule: 'translations.placeholder', pointer: '/blocks/2/translations/de/title' },
    ]);
  });

  it('has versions, of which one is live, and reads back as it was written', async () => {
    const made = await footer({ description: 'who sent it', sample_data: { author: 'Ada' } });
    expect(made).toMatchObject({
      key: 'footer',
      description: 'who sent it',
      current_version_id: made.version.id,
    });
    const next = await append(made.id, line('from {{author}}'));
    expect(next).toMatchObject({ partial_id: made.id, version_number: 2, status: 'draft' });
    const named = { id: made.id, version_id: next.id };
    expect(await ask(getPartialVersion(world()), { params: named }, principal)).toEqual(next);
    expect((await activate(made.id, next.id)).status).toBe('active');
    expect((await activate(made.id, next.id)).status).toBe('active');
    expect((await read(made.id)).current_version).toMatchObject({
      id: next.id,
      request_format: { author: null },
    });
    const versions = await ask(
      listPartialVersions(world()),
      { params: { id: made.id }, query: page },
      principal,
    );
    expect(versions.data.map((version) => [version.version_number, version.status])).toEqual([
      [2, 'active'],
      [1, 'inactive'],
    ]);
    const log = await ask(
      listPartialActivations(world()),
      { params: { id: made.id }, query: page },
      principal,
    );
    expect(log.data.map(({ partial_id, version_number }) => [partial_id, version_number])).toEqual([
      [made.id, 2],
      [made.id, 1],
    ]);
    const query = { against: made.version.id };
    const diff = await ask(diffPartialVersions(world()), { params: named, query }, principal);
    expect(diff).toMatchObject({ partial_id: made.id, changed: [{ changes: [{ op: 'replace' }] }] });
  });

  it('is saved once by a repeated request, with an audit entry and an event for each step', async () => {
    const body = { name: 'Footer', key: 'footer', blocks: line('by {{author}}') };
    const context = newContext({ deadlineMs: 15_000, principal });
    const made = await ask(createPartial(world()), { body }, principal, context);
    expect(await ask(createPartial(world()), { body }, principal, context)).toEqual(made);
    await activate(made.id, made.version.id);
    const actions = (await recordedAudit(world(), principal)).map(({ action, subject }) => [
      action,
      subject.kind,
    ]);
    expect(actions).toEqual([
      ['partial.created', 'partial'],
      ['partial.activated', 'partial'],
    ]);
  });

  it('A list of partials has the newest version of each, as the list of its versions has it', async () => {
    const { id } = await footer();
    await append(id, line('2'));
    const listed = await ask(listPartials(world()), { query: page }, principal);
    const versions = await ask(
      listPartialVersions(world()),
      { params: { id }, query: { limit: 20, offset: 0 } },
      principal,
    );
    expect(versions.data[0]).toMatchObject({ version_number: 2, partial_id: id });
    expect(listed.data.map((it) => it.newest_version)).toEqual([versions.data[0]]);
  });

  it('is no template: neither read, listed, found nor sent as one', async () => {
    const { id } = await footer();
    await expect(ask(getTemplate(world()), { params: { id } }, principal)).rejects.toMatchObject({
      code: 'template_not_found',
    });
    await expect(read((await save(line('x'))).id)).rejects.toMatchObject({ code: 'partial_not_found' });
    const templates = await ask(listTemplates(world()), { query: page }, principal);
    expect(templates.data.map(({ name }) => name)).toEqual(['Greeting']);
    const partials = await ask(listPartials(world()), { query: page }, principal);
    expect(partials.data.map(({ key }) => key)).toEqual(['footer']);
    const search = { q: 'Footer', limit: 20, offset: 0 };
    expect((await ask(searchTemplates(world()), { query: search }, principal)).data).toEqual([]);
    const { organization_id, environment } = principal;
    const live = await ask(
      resolveLiveVersions(world()),
      { templates: [{ organization_id, environment, template_id: id }] },
      principal,
    );
    expect(live.versions).toEqual([{ found: false, code: 'template_not_found' }]);
  });

  it('is put into the version of a template, which keeps it when another version becomes live', async () => {
    const { id } = await footer();
    const template = await save([...line('x'), use('footer', { author: 'user.name' })]);
    const [, block] = template.version.blocks;
    expect(block).toMatchObject({
      directive: '#with',
      with: { author: 'user.name' },
      partial: { key: 'footer', version: 1 },
      children: line('by {{author}}'),
    });
    expect(template.version.request_format).toEqual({ 'user.name': null });
    const { id: version_id } = await append(id, line('from {{author}}'));
    await activate(id, version_id);
    // A version that is saved as it was read keeps its partials; one that names them takes the live versions.
    const again = (blocks: Block[]) =>
      ask(appendTemplateVersion(world()), { params: { id: template.id }, body: { blocks } }, principal);
    expect(partialsIn((await again(template.version.blocks)).blocks)).toEqual([
      { key: 'footer', version: 1 },
    ]);
    expect(partialsIn((await again([use('footer', { author: 'user.name' })])).blocks)).toEqual([
      { key: 'footer', version: 2 },
    ]);
  });

  it('is refused by name, pointer and way out where it cannot be used, and nothing is saved', async () => {
    await footer();
    await newPartial(world(), principal, { key: 'draft' }, false);
    const { id } = await newPartial(world(), principal, { key: 'gone' });
    await archive(id);
    const entries = [
      use('foter', {}),
      use('draft', { author: 'a' }),
      use('gone', { author: 'a' }),
      use('footer', { author: 'a', autor: 'b' }),
      use('footer', {}),
      { ...use('footer', { author: 'a' }), version: 7 },
    ];
    expect(await problemsOf(save(entries))).toMatchObject([
      { rule: 'partial.unknown', pointer: '/blocks/0/partial', hint: expect.any(String) },
      { rule: 'partial.not_live', pointer: '/blocks/1/partial', hint: expect.any(String) },
      { rule: 'partial.archived', pointer: '/blocks/2/partial', hint: expect.any(String) },
      { rule: 'with.not_read', pointer: '/blocks/3/with/autor', hint: expect.stringContaining('author') },
      { rule: 'with.not_given', pointer: '/blocks/4', hint: expect.any(String) },
      { rule: 'partial.unknown', pointer: '/blocks/5/partial', hint: expect.any(String) },
    ]);
    expect((await ask(listTemplates(world()), { query: page }, principal)).data).toEqual([]);
  });

  it('uses others three deep, and never itself', async () => {
    const a = await newPartial(world(), principal, { key: 'a' });
    const inside = (key: string) => [use(key, { author: 'author' })];
    expect(await problemsOf(append(a.id, inside('a')))).toMatchObject([
      { rule: 'partial.self', pointer: '/blocks/0/partial', hint: expect.any(String) },
    ]);
    await newPartial(world(), principal, { key: 'b', blocks: inside('a') });
    expect(await problemsOf(append(a.id, inside('b')))).toMatchObject([{ rule: 'partial.self' }]);
    await newPartial(world(), principal, { key: 'c', blocks: inside('b') });
    const deep = newPartial(world(), principal, { key: 'd', blocks: inside('c') });
    expect(await problemsOf(deep)).toMatchObject([{ rule: 'partial.depth', max: 3, actual: 4 }]);
    const template = await save([use('c', { author: 'who' })]);
    expect(template.version.request_format).toEqual({ who: null });
  });

  it('refuses blocks that read all of their data, and names the place', async () => {
    const made = newPartial(world(), principal, { key: 'x', blocks: line('{{this | json}}') });
    expect(await problemsOf(made)).toMatchObject([
      { rule: 'partial.data', pointer: '/blocks/0/elements/0/text' },
    ]);
  });

  it('changes its labels, and its key until a version has been live', async () => {
    const { id } = await newPartial(world(), principal, { key: 'a' }, false);
    const update = (body: object) => ask(updatePartial(world()), { params: { id }, body }, principal);
    expect(await update({ name: 'Closing', key: 'b' })).toMatchObject({ name: 'Closing', key: 'b' });
    expect(await update({})).toMatchObject({ name: 'Closing', key: 'b' });
    const live = await footer();
    const fixed = ask(updatePartial(world()), { params: { id: live.id }, body: { key: 'c' } }, principal);
    await expect(fixed).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(newTemplate(world(), principal, { key: 'b' })).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('Another template or partial'),
    });
  });

  it('stays in the templates that hold it while it is archived', async () => {
    const { id } = await footer();
    const template = await save([use('footer', { author: 'a' })]);
    expect(await archive(id)).toMatchObject({ lifecycle: 'archived', changed: true });
    expect(await archive(id)).toMatchObject({ changed: false });
    const params = { id: template.id, version_id: template.version.id };
    await ask(activateTemplateVersion(world()), { params, body: {} }, principal);
    const { blocks } = template.version;
    await ask(appendTemplateVersion(world()), { params: { id: template.id }, body: { blocks } }, principal);
    const back = await ask(unarchivePartial(world()), { params: { id } }, principal);
    expect(back).toMatchObject({ lifecycle: 'active', changed: true });
  });

  it('is deleted when it is archived and nothing holds it in its live or newest version', async () => {
    const { id } = await footer();
    const template = await save([use('footer', { author: 'a' })]);
    await expect(remove(id)).rejects.toMatchObject({ code: 'invalid_state' });
    await archive(id);
    await expect(remove(id)).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('the template "Greeting"'),
    });
    const params = { id: template.id };
    await ask(appendTemplateVersion(world()), { params, body: { blocks: line('x') } }, principal);
    expect(await remove(id)).toEqual({ success: true, id });
    await expect(remove(id)).rejects.toMatchObject({ code: 'partial_not_found' });
    // The version that held it compiles as before, since the blocks are its own.
    const version = { id: template.id, version_id: template.version.id };
    await ask(activateTemplateVersion(world()), { params: version, body: {} }, principal);
  });

  it('does not exist for strangers, in no operation', async () => {
    const { id, version } = await footer();
    for (const stranger of strangersTo(principal)) {
      const missing = { code: 'partial_not_found' };
      await expect(read(id, stranger)).rejects.toMatchObject(missing);
      await expect(archive(id, stranger)).rejects.toMatchObject(missing);
      await expect(remove(id, stranger)).rejects.toMatchObject(missing);
      await expect(append(id, line('x'), stranger)).rejects.toMatchObject(missing);
      const params = { id, version_id: version.id };
      await expect(ask(getPartialVersion(world()), { params }, stranger)).rejects.toMatchObject(missing);
      const using = newTemplate(world(), stranger, { blocks: [use('footer', { author: 'a' })] });
      expect(await problemsOf(using)).toMatchObject([{ rule: 'partial.unknown' }]);
    }
  });

  it('is put into blocks that are not saved, and what is wrong is answered', async () => {
    await footer();
    const { organization_id, environment } = principal;
    const blocks = [use('footer', { author: 'a' }), use('header', {})];
    const answer = await ask(expandBlocks(world()), { organization_id, environment, blocks }, principal);
    expect(answer.problems).toMatchObject([{ rule: 'partial.unknown', pointer: '/blocks/1/partial' }]);
    expect(answer.blocks[0]).toMatchObject({ partial: { key: 'footer', version: 1 } });
  });
});
