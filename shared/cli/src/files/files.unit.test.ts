import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readTemplate, readTemplates, removeTemplate, writeTemplate } from '../templates/template-files.ts';
import { hashOf, isSame } from './canonical.ts';
import { readLock, writeLock } from './lock-file.ts';
import { findProject } from './project.ts';
import { writeAtomically } from './write-atomically.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stanza-files-'));
  await writeFile(join(folder, 'stanza.json'), '{}');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entry = { about: 'a', content: 'c', version_id: 'v', live_version_id: null };

describe('JSON', () => {
  it('is the same in whatever order its keys stand, and not in another order of a list', () => {
    expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
    expect(isSame([1, 2], [2, 1])).toBe(false);
    expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }));
  });
});

describe('the project', () => {
  it('is found from a folder in it, and missed where there is none', async () => {
    await mkdir(join(folder, 'templates/deep'), { recursive: true });
    expect(await findProject(join(folder, 'templates/deep'))).toEqual({
      folder,
      templates: join(folder, 'templates'),
      kinds: [],
      now: new Date('2026-11-21T08:30:00.000Z'),
    });
    await expect(findProject('/')).rejects.toThrow('There is no stanza.json in /');
  });

  it('is not that of the folder above one whose name is mistyped, or that is a file', async () => {
    for (const name of ['acme-production', 'stanza.json', 'stanza.json/deep'])
      await expect(findProject(join(folder, name))).rejects.toThrow(
        `There is no folder ${join(folder, name)}.`,
      );
  });

  it('names a folder that stands where a file has to be', async () => {
    await rm(join(folder, 'stanza.json'));
    await mkdir(join(folder, 'stanza.json'));
    await expect(findProject(folder)).rejects.toThrow(`${join(folder, 'stanza.json')} is a folder.`);
    const written = writeAtomically(join(folder, 'stanza.json'), '{}');
    await expect(written).rejects.toThrow(`${join(folder, 'stanza.json')} is a folder.`);
  });

  it('may have files that begin with a byte order mark', async () => {
    await writeFile(join(folder, 'stanza.json'), '\uFEFF{"templates": "messages"}\r\n');
    expect(await findProject(folder)).toMatchObject({ templates: join(folder, 'messages') });
  });

  it('may have no file in another encoding, whose characters would be lost', async () => {
    const file = join(folder, 'stanza.json');
    for (const encoding of ['latin1', 'utf16le'] as const) {
      await writeFile(file, Buffer.from('{"templates": "Größe"}', encoding));
      await expect(findProject(folder)).rejects.toThrow(`${file} is not in UTF-8.`);
    }
  });

  it.each([
    '[]',
    '{"templates": 1}',
    '{"templtes": "messages"}',
    '{"kind": []}',
    '{"now": "noon"}',
    '{"kinds": ["keys"]}',
    '{',
  ])('refuses %s', async (text) => {
    await writeFile(join(folder, 'stanza.json'), text);
    await expect(findProject(folder)).rejects.toThrow('stanza.json');
  });
});

describe('the base state', () => {
  it('is kept for each environment, and written only where it differs', async () => {
    const file = join(folder, 'stanza.lock.json');
    expect((await readLock(folder, 'o/preview')).size).toBe(0);
    await writeLock(
      folder,
      'o/preview',
      new Map([
        ['b', entry],
        ['a', entry],
      ]),
    );
    await writeLock(folder, 'o/production', new Map([['c', entry]]));
    const text = await readFile(file, 'utf8');
    expect(Object.keys(JSON.parse(text)['o/preview'])).toEqual(['a', 'b']);
    const { ino } = await stat(file);
    await writeLock(
      folder,
      'o/preview',
      new Map([
        ['a', entry],
        ['b', entry],
      ]),
    );
    expect([(await stat(file)).ino, await readFile(file, 'utf8')]).toEqual([ino, text]);
    expect([...(await readLock(folder, 'o/production')).keys()]).toEqual(['c']);
    expect((await readLock(folder, 'constructor')).size).toBe(0);
  });

  it.each(['[]', '{"o/preview": {"a": {"about": 1}}}'])('refuses %s', async (text) => {
    await writeFile(join(folder, 'stanza.lock.json'), text);
    await expect(readLock(folder, 'o/preview')).rejects.toThrow('is not as `stanza` writes it');
    await writeFile(join(folder, 'stanza.lock.json'), `<<<<<<< HEAD\n${text}\n=======\n{}\n>>>>>>> theirs\n`);
    const merged = {
      message: expect.stringContaining('1:1'),
      advice: expect.stringContaining('one whole side'),
    };
    await expect(readLock(folder, 'o/preview')).rejects.toMatchObject(merged);
  });
});

describe('the files of a template', () => {
  const content = {
    about: { name: 'It', description: 'Says it.' },
    version: { blocks: [{ type: 'divider' }], data: { a: 1 } },
  };

  it('are read as they are written, and a layout of people stays', async () => {
    const project = await findProject(folder);
    expect(await writeTemplate(project, 'it', content, undefined)).toBe(true);
    expect(await readTemplate(project, 'it')).toEqual({ key: 'it', ...content, expected: undefined });
    const file = join(folder, 'templates/it/template.json');
    const laidOut = JSON.stringify({ blocks: [{ type: 'divider' }], description: 'Says it.', name: 'It' });
    await writeFile(file, laidOut);
    expect(await writeTemplate(project, 'it', content, undefined)).toBe(false);
    expect(await readFile(file, 'utf8')).toBe(laidOut);
  });

  it('have the texts of each language in a file of its own', async () => {
    const project = await findProject(folder);
    const texts = (translations: object) => ({ type: 'directive', directive: '#translations', translations });
    const version = (translations: object) => ({
      blocks: [{ type: 'divider' }, texts(translations)],
      data: {},
    });
    const both = { ...content, version: version({ de: { a: 'x' }, en: { a: 'y' } }) };
    expect(await writeTemplate(project, 'it', both, undefined)).toBe(true);
    expect(await readFile(join(folder, 'templates/it/translations/de.json'), 'utf8')).toBe(
      '{\n  "a": "x"\n}\n',
    );
    expect(await readTemplate(project, 'it')).toMatchObject(both);
    expect(await writeTemplate(project, 'it', both, undefined)).toBe(false);
    const one = { ...content, version: version({ en: { a: 'y' } }) };
    expect(await writeTemplate(project, 'it', one, undefined)).toBe(true);
    expect(await readTemplate(project, 'it')).toMatchObject(one);
    const twice = { name: 'It', blocks: [texts({ fr: {} })] };
    await writeFile(join(folder, 'templates/it/template.json'), JSON.stringify(twice));
    await expect(readTemplate(project, 'it')).rejects.toThrow('and in the entry #translations');
    await removeTemplate(project, 'it');
    expect(await readTemplate(project, 'it')).toBeUndefined();
  });

  it('with texts that no file can hold are left in their blocks', async () => {
    const project = await findProject(folder);
    const odd = { type: 'directive', directive: '#translations', id: 'mine', translations: { en: {} } };
    const version = { blocks: [odd], data: {} };
    await writeTemplate(project, 'it', { ...content, version }, undefined);
    expect(await readTemplate(project, 'it')).toMatchObject({ version });
  });

  it.each([
    [{ name: 'It', blocks: [], descripton: '' }, 'did you mean `description`?'],
    [{ blocks: [] }, 'needs a `name`'],
    [{ name: 'It', blocks: {} }, '`blocks` is to be a list'],
    [{ name: 'It', blocks: [{}] }, '`blocks` is to be a list'],
    [{ name: 'It', strict: 'yes', blocks: [] }, '`strict` is to be true or false'],
    [{ name: 'It', locale: 1, blocks: [] }, '`locale` is to be a text'],
    [[], 'is no object'],
  ])('are refused as %j', async (written, message) => {
    await mkdir(join(folder, 'templates/it'), { recursive: true });
    await writeFile(join(folder, 'templates/it/template.json'), JSON.stringify(written));
    await expect(readTemplates(await findProject(folder))).rejects.toThrow(message);
  });

  it('are never written outside of the folder of templates', async () => {
    const project = await findProject(folder);
    for (const key of ['../out', '..', 'a/b', 'A', ''])
      await expect(writeTemplate(project, key, content, undefined)).rejects.toThrow(
        'The API names a template',
      );
  });

  it('are missed in a folder without them, which would count as a template that is gone', async () => {
    const project = await findProject(folder);
    await writeTemplate(project, 'it', content, undefined);
    await mkdir(join(folder, 'templates/.cache'));
    expect([...(await readTemplates(project)).keys()]).toEqual(['it']);
    await rename(join(folder, 'templates/it/template.json'), join(folder, 'templates/it/Template.json'));
    await expect(readTemplates(project)).rejects.toThrow('it has no template.json, but Template.json.');
    await rm(join(folder, 'templates/it/Template.json'));
    await expect(readTemplates(project)).rejects.toThrow('it has no template.json.');
  });

  it('A file in place of the folder of a template is refused, and hinders no other template', async () => {
    const project = await findProject(folder);
    await writeTemplate(project, 'it', content, undefined);
    await writeFile(join(folder, 'templates/other'), '../elsewhere');
    await writeFile(join(folder, 'templates/README.md'), 'Our templates');
    await expect(readTemplates(project)).rejects.toThrow(`${join(folder, 'templates/other')} is no folder.`);
    expect([...(await readTemplates(project, ['it'])).keys()]).toEqual(['it']);
  });

  it('are read behind a link, and a link that leads nowhere is refused', async () => {
    const project = await findProject(folder);
    await writeTemplate(project, 'it', content, undefined);
    await rename(join(folder, 'templates/it'), join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'templates/it'));
    expect([...(await readTemplates(project)).keys()]).toEqual(['it']);
    await rm(join(folder, 'elsewhere'), { recursive: true });
    await expect(readTemplates(project)).rejects.toThrow('is a link that leads nowhere');
  });

  it.each([
    ['a file', () => writeFile(join(folder, 'templates'), '../elsewhere'), 'is no folder.'],
    [
      'a link to nothing',
      () => symlink('nowhere', join(folder, 'templates')),
      'is a link that leads nowhere.',
    ],
  ])('are not taken for gone where %s stands in the place of their folder', async (_, write, text) => {
    await write();
    const project = await findProject(folder);
    await expect(readTemplates(project)).rejects.toThrow(`${project.templates} ${text}`);
  });

  it('keep their texts where a file stands in the place of their translations', async () => {
    await mkdir(join(folder, 'templates/a'), { recursive: true });
    await writeFile(join(folder, 'templates/a/template.json'), '{"name": "A", "blocks": []}');
    await writeFile(join(folder, 'templates/a/translations'), '../b/translations');
    const project = await findProject(folder);
    const translations = join(project.templates, 'a/translations');
    await expect(readTemplates(project)).rejects.toThrow(`${translations} is no folder.`);
  });

  it('have no link to nothing among their files, which would count as data that was taken away', async () => {
    const project = await findProject(folder);
    await writeTemplate(project, 'it', content, undefined);
    const data = join(folder, 'templates/it/data.json');
    await rm(data);
    await symlink(join(folder, 'elsewhere.json'), data);
    await expect(readTemplates(project)).rejects.toThrow(`${data} is a link that leads nowhere.`);
  });

  it('of an unknown template are refused with the nearest key', async () => {
    const project = await findProject(folder);
    await writeTemplate(project, 'deploy-alert', content, undefined);
    await expect(readTemplates(project, ['deploy-alrt'])).rejects.toThrow('did you mean deploy-alert?');
  });
});
