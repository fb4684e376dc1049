import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exhibits, messages } from '@stanza/gallery/exhibits';
import { stanzaCommand } from '@stanza/test-kit/stanza-command';
import { findProject } from '../files/project.ts';
import { allKinds } from '../resources/kinds.ts';
import { readResources } from '../resources/resource-files.ts';
import { Variables } from '../resources/variables.ts';

const count = 200;

describe('without a server', () => {
  let folder: string;

  const run = (...words: string[]) => stanzaCommand(words, { folder });
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out);
  const fileOf = (key: string, file: string) => join(folder, 'templates', key, file);
  const write = async (key: string, file: string, value: unknown): Promise<void> => {
    await mkdir(join(folder, 'templates', key), { recursive: true });
    await writeFile(fileOf(key, file), JSON.stringify(value));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stanza-offline-'));
    expect(await run('init')).toMatchObject({ code: 0, out: expect.stringContaining('stanza pull') });
    for (let number = 0; number < count; number += 1) {
      const exhibit = messages[number % messages.length];
      const key = `${exhibit?.slug}-${number}`;
      await write(key, 'template.json', exhibit?.source);
      await write(key, 'data.json', exhibit?.data);
      await write(key, 'expected.json', exhibit?.expected);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('begins a folder once', async () => {
    expect(await run('init')).toMatchObject({ code: 0, out: expect.stringContaining('is there already') });
  });

  it('imports no project above a folder that no export has written', async () => {
    await mkdir(join(folder, 'empty'));
    expect(await run('import', 'empty', '--yes')).toMatchObject({
      code: 1,
      notes: expect.stringContaining(`There is no stanza.json in ${join(folder, 'empty')}.`),
    });
    const mistyped = await run('import', 'acme-prodution', '--yes');
    expect(mistyped).toMatchObject({ code: 1, notes: expect.stringContaining('There is no folder') });
  });

  it('begins with a template or a modal of the gallery', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'stanza-from-'));
    try {
      const here = (...words: string[]) => stanzaCommand(words, { folder: dir });
      await here('init');
      for (const { slug, kind } of exhibits) {
        const word = kind === 'modal' ? 'modal' : 'template';
        expect(await here('new', word, slug, '--from', slug)).toMatchObject({ code: 0 });
      }
      expect(await here('validate')).toMatchObject({ code: 0 });
      const resources = await readResources(await findProject(dir), new Variables({}));
      expect([...resources.values()].flatMap(({ problem }) => problem ?? [])).toEqual([]);
      const written = await readFile(join(dir, 'templates/deploy-alert/template.json'), 'utf8');
      expect(JSON.parse(written)).toEqual(messages.find(({ slug }) => slug === 'deploy-alert')?.source);
      const files = 'templates/my-deploy/template.json and data.json';
      expect(await here('new', 'template', 'my-deploy', '--from', 'deploy-alert')).toMatchObject({
        out: `wrote ${files}`,
      });
      const named = await readFile(join(dir, 'templates/my-deploy/template.json'), 'utf8');
      expect(JSON.parse(named)).toEqual({ ...JSON.parse(written), name: 'My deploy' });
      expect(await here('new', 'template', 'other', '--from', 'deploy-alrt')).toMatchObject({
        code: 1,
        notes: expect.stringContaining('did you mean deploy-alert?'),
      });
      expect(await here('new', 'queue', 'other', '--from', 'deploy-alert')).toMatchObject({ code: 1 });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('says once that a template has no data to be tried with', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'stanza-unsampled-'));
    try {
      const here = (...words: string[]) => stanzaCommand(words, { folder: dir });
      await here('init');
      await here('new', 'template', 'plain', '--from', 'invoice');
      await rm(join(dir, 'templates/plain/data.json'));
      const said = [
        expect.stringMatching(/^plain: \d+ warnings, as there is no data to try it with in data\.json$/),
        '1 templates, all valid',
      ];
      expect((await here('validate')).out.split('\n')).toEqual(said);
      // As a pull writes it, of a version without data.
      await writeFile(join(dir, 'templates/plain/data.json'), '{}');
      expect((await here('validate')).out.split('\n')).toEqual(said);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('Files besides those of templates are validated, before a push fails at them halfway', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'stanza-others-'));
    try {
      const here = (...words: string[]) => stanzaCommand(words, { folder: dir });
      await here('init');
      await here('new', 'partial', 'footer');
      await here('new', 'queue', 'deploys');
      const text = { type: 'mrkdwn', text: 'By {{author' };
      const partial = { name: 'Footer', blocks: [{ type: 'section', text }] };
      await writeFile(join(dir, 'partials/footer.json'), JSON.stringify(partial));
      await writeFile(
        join(dir, 'queues/deploys.json'),
        JSON.stringify({ name: 'Deploys', mod: 'fixed_time' }),
      );
      const view = { title: 'Two {{pages', blocks: partial.blocks };
      const modal = { name: 'Report', title: 'Report', blocks: [], steps: [view] };
      await mkdir(join(dir, 'modals'));
      await writeFile(join(dir, 'modals/report.json'), JSON.stringify(modal));
      const { code, out } = await here('validate');
      expect([code, out.split('\n')]).toEqual([
        1,
        [
          expect.stringMatching(/^modals\/report\/steps\/0\/title: placeholder.syntax: /),
          expect.stringMatching(/^modals\/report\/steps\/0\/blocks\/0\/text\/text: placeholder.syntax: /),
          expect.stringMatching(/^partials\/footer\/blocks\/0\/text\/text: placeholder\.syntax: /),
          expect.stringMatching(/^queues\/deploys: file: /),
          '0 templates, all valid; 3 other files with problems',
        ],
      ]);
      expect(await here('validate', 'queues/deploys.json')).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^queues\/deploys: file: .*\n1 other files with problems$/),
      });
      expect(await here('validate', 'partials/fotter')).toMatchObject({
        code: 1,
        notes: expect.stringContaining('There is no partial fotter in '),
      });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('begins a file of each kind once, which is valid', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'stanza-new-'));
    try {
      const here = (...words: string[]) => stanzaCommand(words, { folder: dir });
      await here('init');
      for (const kind of ['template', ...allKinds.map(({ word }) => word)])
        expect(await here('new', kind, 'first-one')).toMatchObject({ code: 0 });
      const resources = await readResources(await findProject(dir), new Variables({}));
      expect([...resources.values()].map(({ ref, problem }) => [ref, problem])).toEqual(
        allKinds.map(({ folder: kind }) => [`${kind}/first-one`, undefined]),
      );
      expect(await here('validate')).toMatchObject({ code: 0, out: '1 templates, all valid' });
      expect(await here('new', 'queue', 'first-one')).toMatchObject({ code: 1 });
      expect(await here('new', 'key', 'first-one')).toMatchObject({ code: 1 });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('moves the texts of all languages through one table', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'stanza-translations-'));
    try {
      const here = (...words: string[]) => stanzaCommand(words, { folder: dir });
      const receipt = messages.find(({ slug }) => slug === 'receipt');
      await here('init');
      expect(await here('translations', 'export', 'texts.csv')).toMatchObject({
        code: 1,
        notes: expect.stringContaining('Nothing was written.'),
      });
      await mkdir(join(dir, 'templates/receipt'), { recursive: true });
      await writeFile(join(dir, 'templates/receipt/template.json'), JSON.stringify(receipt?.source));
      await writeFile(join(dir, 'templates/receipt/data.json'), JSON.stringify(receipt?.data));
      expect(await here('translations', 'export', 'texts.csv')).toMatchObject({ code: 0 });
      const csv = await readFile(join(dir, 'texts.csv'), 'utf8');
      expect(await here('translations', 'import', 'texts.csv')).toMatchObject({ out: 'nothing has changed' });
      await writeFile(
        join(dir, 'texts.csv'),
        csv.replace('Danke für deine Bestellung', 'Danke für die Bestellung'),
      );
      const imported = await here('translations', 'import', 'texts.csv');
      expect(imported).toMatchObject({ code: 0, out: 'changed the texts of receipt' });
      const german = await readFile(join(dir, 'templates/receipt/translations/de.json'), 'utf8');
      expect(JSON.parse(german).thanks).toBe('Danke für die Bestellung {{order.id}}');
      expect(await here('validate')).toMatchObject({ code: 0, out: '1 templates, all valid' });
      const translations = { de: { by: 'Von {{author}}' }, en: { by: 'By {{author}}' } };
      const entry = { type: 'directive', directive: '#translations', translations };
      const line = { type: 'section', text: { type: 'mrkdwn', text: '{{@t.by}}' } };
      await mkdir(join(dir, 'partials'), { recursive: true });
      await writeFile(
        join(dir, 'partials/footer.json'),
        JSON.stringify({ name: 'Footer', blocks: [entry, line] }),
      );
      const both = await here('translations', 'export', 'texts.csv');
      expect(both.out).toContain('the texts of 1 template and 1 partial');
      const withPartial = await readFile(join(dir, 'texts.csv'), 'utf8');
      expect(withPartial).toContain('partials/footer,by,,');
      await writeFile(join(dir, 'texts.csv'), withPartial.replace('Von {{author}}', 'Durch {{author}}'));
      const ofPartial = await here('translations', 'import', 'texts.csv');
      expect(ofPartial).toMatchObject({ code: 0, out: 'changed the texts of partials/footer' });
      const footer = await readFile(join(dir, 'partials/footer.json'), 'utf8');
      expect(JSON.parse(footer)).toMatchObject({
        name: 'Footer',
        blocks: [{ translations: { de: { by: 'Durch {{author}}' } } }, line],
      });
      const named = await here('translations', 'export', 'other.csv', 'partials/header');
      expect(named).toMatchObject({ code: 1, notes: expect.stringContaining('no file of partials/header') });
      const missing = await here('translations', 'import', 'test.csv');
      expect(missing).toMatchObject({
        code: 1,
        notes: expect.stringContaining('There is no file test.csv.'),
      });
      await writeFile(join(dir, 'texts.csv'), csv.replace(/receipt,/g, 'recipe,'));
      const refused = await here('translations', 'import', 'texts.csv');
      expect(refused).toMatchObject({ code: 1, notes: expect.stringContaining('did you mean receipt?') });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('200 templates are valid, and come out as the gallery expects', async () => {
    expect(await run('validate')).toMatchObject({
      code: 0,
      out: expect.stringContaining('200 templates, all valid'),
    });
    const { templates } = await json('validate');
    expect(templates.filter(({ valid }: { valid: boolean }) => valid)).toHaveLength(count);
    expect(await run('test')).toMatchObject({ code: 0, out: '200 templates, all as expected' });
  });

  it('a template is shown with its data, or with other data', async () => {
    const key = `${messages.find(({ slug }) => slug === 'deploy-alert')?.slug}-${messages.findIndex(({ slug }) => slug === 'deploy-alert')}`;
    expect((await run('preview', key)).out).toContain('# checkout 4.12.0 is live');
    await writeFile(join(folder, 'other.json'), '{"service":"api","version":"2"}');
    const other = await run('preview', key, '--data', 'other.json');
    expect(other.out).toContain('# api 2 is live');
    expect(other.notes).toContain('environment');
    const given = (input: string) => stanzaCommand(['preview', key, '--data', '-'], { folder, input });
    expect((await given('{"service":"api","version":"3"}')).out).toContain('# api 3 is live');
    expect(await given('[]')).toMatchObject({
      code: 1,
      notes: expect.stringContaining('the standard input'),
    });
    expect(await run('preview', key, '--data', 'none.json')).toMatchObject({ code: 1 });
    expect(await run('preview', 'deploy-alrt')).toMatchObject({ code: 1 });
  });

  it('a change of what comes out fails with a block diff, until it is expected', async () => {
    const blocks = (text: string) => ({
      name: 'Own',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }, { type: 'divider' }],
    });
    await write('own', 'template.json', blocks('Hello {{name}}'));
    await write('own', 'data.json', { name: 'Ada' });
    expect(await run('test', 'own')).toMatchObject({ code: 1, out: expect.stringContaining('--update') });
    expect(await run('test', 'own', '--update')).toMatchObject({ code: 0 });
    const written = await readFile(fileOf('own', 'expected.json'), 'utf8');
    await write('own', 'template.json', blocks('Good day, {{name}}'));
    const failed = await run('test', 'own');
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('- /blocks/0/text/text "Hello Ada"');
    expect(failed.out).toContain('+ /blocks/0/text/text "Good day, Ada"');
    expect(await readFile(fileOf('own', 'expected.json'), 'utf8')).toBe(written);
    await rm(join(folder, 'templates/own'), { recursive: true });
  });

  it('every problem of a template is listed with its place', async () => {
    await write('broken', 'template.json', {
      name: 'Broken',
      blocks: [{ type: 'sektion' }, { type: 'header' }],
    });
    const { code, out } = await run('validate', 'broken');
    expect(code).toBe(1);
    expect(out).toContain('broken/blocks/0/type: type.unknown');
    expect(out).toContain('broken/blocks/1');
    expect((await json('validate', 'broken')).templates).toMatchObject([{ key: 'broken', valid: false }]);
    await writeFile(fileOf('broken', 'data.json'), '{');
    expect(await run('validate')).toMatchObject({ code: 1, notes: expect.stringContaining('is not JSON') });
    await rm(join(folder, 'templates/broken'), { recursive: true });
  });
});
