import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { notesOf } from '@stanza/release/changelog';
import { publicPackages, readManifest } from '@stanza/release/manifests';
import { read, root } from './files.ts';

const changelog = `# Changelog

## [Unreleased]

## [1.10.0] - 2027-01-02

### Added

- Ten.

## [1.1.0]

- One.

[Unreleased]: https://example.com/compare
`;

const run = (...words: string[]) =>
  spawnSync(process.execPath, ['--no-warnings', 'deploy/release/main.ts', ...words], {
    cwd: root,
    encoding: 'utf8',
  });

describe('the notes of a release', () => {
  it('are what stands under the heading of the version, with or without a date', () => {
    expect(notesOf(changelog, '1.10.0')).toBe('### Added\n\n- Ten.\n');
    expect(notesOf(changelog, '1.1.0')).toBe('- One.\n');
  });

  it.each([
    ['1.1', 'has no section'],
    ['1.1.00', 'has no section'],
    ['1x1.0', 'has no section'],
    ['Unreleased', 'has nothing under'],
  ])('are refused for %s', (version, reason) => {
    expect(() => notesOf(changelog, version)).toThrow(reason);
  });
});

describe('the program of a release', () => {
  const { version = '' } = readManifest(root);

  it('writes the notes of the tag that is the version', () => {
    const { status, stdout } = run('notes', `v${version}`);
    expect([status, stdout]).toEqual([0, notesOf(read('CHANGELOG.md'), version)]);
  });

  it.each(['v999.0.0', version, 'main'])('refuses the tag %s', (tag) => {
    const { status, stdout, stderr } = run('notes', tag);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`the tag is ${tag}, the version in package.json is ${version}`);
  });

  it('publishes what a gateway serves, which is every package that is not private', () => {
    const packed = read('services/gateway/build/downloads.ts');
    expect(publicPackages(root)).toEqual(['@stanza/cli', '@stanza/sdk']);
    for (const name of publicPackages(root)) expect(packed).toContain(`'${name}'`);
    expect(read('.github/workflows/release.yml')).toContain('cp services/gateway/dist/downloads/* assets/');
  });

  it('says what it takes', () => {
    expect(run('notes')).toMatchObject({ status: 1, stderr: expect.stringContaining('usage') });
  });
});
