import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readManifest, workspaces } from '@stanza/release/manifests';
import { productVersion } from '@stanza/runtime';
import { z } from 'zod';
import { read, root } from './files.ts';

/** Files that write the same number for something else, with what it is. */
const other: Readonly<Record<string, string>> = {
  'shared/contracts/src/openapi/document.ts': 'the version of the interface',
  'tests/e2e/public.e2e.test.ts': 'the version of the interface, as clients expect it',
  'docs/developing.md': 'the version of the form of a launch.json',
};

const files = globSync('**/*.{ts,mjs,js,json,yml,yaml,md,env,conf}', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', '**/generated', '.git', '.stanza', '**/.stanza', 'shared/gallery'],
}).concat('deploy/docker/Dockerfile', '.ci/run', ...globSync('.github/**/*.{yml,md}', { cwd: root }));

/** Lines that give something called a version or a tag, or an image or package of ours, the version. */
const linesThatWrite = (text: string, version: string): string[] => {
  const number = version.replaceAll('.', '\\.');
  const written = new RegExp(
    `(?:version|tag|stanza[\\w/-]*)["'\`]*\\s*[:=@]\\s*["'\`^~v]*${number}(?![\\w.])`,
    'i',
  );
  return text.split('\n').filter((line) => written.test(line));
};

describe('the version of Stanza', () => {
  const { version = '' } = readManifest(root);

  it('is in package.json, where programs read it', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    expect(productVersion).toBe(version);
  });

  it('is written by no other file but the packages that are published', () => {
    const published = [...workspaces(root)]
      .filter(([, it]) => !it.private)
      .map(([folder]) => `${folder}/package.json`);
    expect(files.length).toBeGreaterThan(1000);
    const written = files
      .filter(
        (file) =>
          !['package.json', ...published].includes(file) &&
          !/package-lock\.json$/.test(file) &&
          !(file in other),
      )
      .flatMap((file) => linesThatWrite(read(file), version).map((line) => `${file}: ${line.trim()}`));
    expect(written).toEqual([]);
  });

  it.each([
    '  "version": "1.2.3",',
    "const version = '1.2.3';",
    'ARG VERSION=1.2.3',
    '    newTag: 1.2.3',
    'docker push registry.example.com/stanza:1.2.3',
    '    "@stanza/contracts": "^1.2.3",',
  ])('is found in: %s', (line) => {
    expect(linesThatWrite(line, '1.2.3')).toEqual([line]);
    expect(linesThatWrite(line, '1.2.4')).toEqual([]);
  });

  it('is that of the lock file', () => {
    const lock = z.object({
      version: z.string(),
      packages: z.record(z.string(), z.object({ version: z.string().optional() })),
    });
    const { packages, ...top } = lock.parse(JSON.parse(read('package-lock.json')));
    expect([top.version, packages['']?.version]).toEqual([version, version]);
  });

  it.each([...workspaces(root)])('is not repeated by %s, nor asked for', (_, it) => {
    // A package that is published has to say its version; it is that of the release.
    expect(it.version).toBe(it.private ? undefined : version);
    const asked = { ...it.dependencies, ...it.devDependencies, ...it.optionalDependencies };
    const ours = Object.entries(asked).filter(([name]) => name.startsWith('@stanza/'));
    expect(ours.filter(([, range]) => range !== '*')).toEqual([]);
  });
});

describe('the version of Node', () => {
  it('is the same in .nvmrc and in the packages that bring it', () => {
    const { optionalDependencies } = readManifest(join(root, 'deploy/local'));
    const nodes = Object.entries(optionalDependencies).filter(([name]) => /^node-\w+-\w+$/.test(name));
    expect(nodes.length).toBeGreaterThan(1);
    expect([...new Set(nodes.map(([, version]) => version))]).toEqual([read('.nvmrc').trim()]);
  });
});
