import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkImages, imagesOf, pinImages } from '@stanza/release/images';
import { read, root } from './files.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('the images of others', () => {
  let copy: string;
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'stanza-images-'));
    for (const { file } of imagesOf(root)) {
      await mkdir(dirname(join(copy, file)), { recursive: true });
      const text = await readFile(join(root, file), 'utf8');
      await writeFile(join(copy, file), text.replaceAll(/@sha256:[0-9a-f]{64}/g, ''));
    }
  });
  afterEach(() => rm(copy, { recursive: true, force: true }));

  it('are found wherever the repository names one', () => {
    const found = imagesOf(root).map(({ image }) => image.split('@')[0]);
    const named = ['postgres:18', 'nats:2.14', 'nats:2.14-alpine', 'node:24-bookworm-slim'];
    expect(found).toEqual(
      expect.arrayContaining([...named, expect.stringMatching(/^prom/), expect.stringMatching(/^grafana/)]),
    );
    const files = new Set(imagesOf(root).map(({ file }) => file));
    const naming =
      /^\s*(?:image: (?!stanza$|nats$|\$)|newTag: (?!your-version))|^(?:FROM|ARG NODE_IMAGE=) ?(?!\$)/m;
    // The chart is made from the overlays, and has their images.
    const others = globSync(['docker-compose*.yml', 'deploy/**/*.{yml,yaml}', 'deploy/**/Dockerfile*'], {
      cwd: root,
    }).filter((file) => !file.startsWith('deploy/helm/'));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((file) => naming.test(read(file)) && !files.has(file))).toEqual([]);
  });

  it('stop a release while one can be exchanged under its tag', () => {
    expect(() => checkImages(copy)).toThrow(imagesOf(copy)[0]?.image);
    pinImages(copy, () => digest);
    expect(checkImages(copy)).toContain(`postgres:18@${digest}`);
    expect(read('.github/workflows/release.yml')).toContain('node deploy/release/main.ts images');
  });

  it('are pinned to the digest that the registry tells, once', async () => {
    const asked: string[] = [];
    const open = new Set(imagesOf(copy).map(({ image }) => image));
    pinImages(copy, (image) => {
      asked.push(image);
      return digest;
    });
    expect(asked.sort()).toEqual([...open].sort());
    const before = await readFile(join(copy, 'docker-compose.yml'), 'utf8');
    expect(pinImages(copy, () => 'sha256:other')).toBe('');
    expect(await readFile(join(copy, 'docker-compose.yml'), 'utf8')).toBe(before);
  });

  it('are left as they are where a digest is not known', async () => {
    const before = await readFile(join(copy, 'docker-compose.yml'), 'utf8');
    expect(() => pinImages(copy, () => 'unknown')).toThrow('is not a digest');
    expect(await readFile(join(copy, 'docker-compose.yml'), 'utf8')).toBe(before);
  });
});
