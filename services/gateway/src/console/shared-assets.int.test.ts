import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import express from 'express';
import { openWorld, type World } from '../testing/world.ts';
import { consoleAssets, hashedFiles, readConsole } from './assets.ts';
import { SharedAssets } from './shared-assets.ts';

describe('the files of the console while two versions run', () => {
  const newFolder = testFolders();
  const servers: Server[] = [];
  let world: World;
  let before: Awaited<ReturnType<typeof gatewayOf>>;
  let after: Awaited<ReturnType<typeof gatewayOf>>;

  /** A gateway whose build has one hashed file of this name and content. */
  const gatewayOf = async (name: string, content: string) => {
    const folder = await newFolder();
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), `<script src="/console/assets/${name}"></script>`);
    await writeFile(join(folder, 'assets', name), content);
    const build = await readConsole(folder);
    if (build === undefined) throw new Error('there is no build');
    const lists: string[] = [];
    const database = {
      ...world.database,
      query: ((statement, values) => {
        if (statement.name === 'console-assets-list') lists.push(statement.name);
        return world.database.query(statement, values);
      }) satisfies World['database']['query'],
    };
    const shared = new SharedAssets({ database, clock: world.clock }, hashedFiles(build));
    const app = express().use(consoleAssets(build, (path) => shared.find(path)));
    const server = app.listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    return { shared, get, lists };
  };

  beforeAll(async () => {
    world = await openWorld();
    before = await gatewayOf('page-old1.js', 'old()');
    after = await gatewayOf('page-new1.js', 'fresh()');
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await world.close();
  });

  it('are answered by gateways of both, once each has kept its own', async () => {
    expect((await before.get('/assets/page-new1.js')).status).toBe(404);
    for (const { shared } of [before, after, before]) await shared.keep();
    world.clock.passSeconds(1);
    const [newer, older] = [
      await before.get('/assets/page-new1.js'),
      await after.get('/assets/page-old1.js'),
    ];
    expect([newer.text, older.text]).toEqual(['fresh()', 'old()']);
    for (const { headers } of [newer, older]) {
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    }
    expect((await before.get('/anything')).text).toContain('page-old1.js');
  });

  it('are looked for once a second, however many are asked for that nobody has', async () => {
    await after.shared.keep();
    world.clock.passSeconds(1);
    const lists = after.lists.length;
    const asked = Array.from({ length: 50 }, (_, at) => after.get(`/assets/none-${at}.js`));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([404]));
    expect(after.lists.length - lists).toBe(1);
  });

  it('are forgotten two weeks after the last gateway had them', async () => {
    for (const { shared } of [before, after]) await shared.keep();
    const paths = async () =>
      (await world.rows<{ path: string }>('select path from console_assets order by path')).map(
        ({ path }) => path,
      );
    world.clock.passSeconds(15 * 24 * 3_600);
    await after.shared.keep();
    expect(await paths()).toEqual(['assets/page-new1.js']);
    await before.shared.keep();
    expect(await paths()).toEqual(['assets/page-new1.js', 'assets/page-old1.js']);
  });
});
