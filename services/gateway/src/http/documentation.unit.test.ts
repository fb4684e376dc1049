import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { errorCodes } from '@stanza/contracts';
import { testFolders } from '@stanza/test-kit/local/folder';
import express from 'express';
import { documentation } from './documentation.ts';

describe('the documentation', () => {
  const newFolder = testFolders();
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  const serve = async (folder: string, sources?: string) => {
    const server = express().use('/docs', documentation(folder, sources)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = Object(server.address());
    return async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
      const { status, headers } = response;
      return { status, text: await response.text(), header: (name: string) => headers.get(name) };
    };
  };

  const servedSite = async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'assets'));
    await mkdir(join(folder, 'runbooks'));
    const files = {
      'index.html': 'home',
      '404.html': 'none such',
      'errors.html': 'errors',
      'runbooks/index.html': 'runbooks',
      'assets/app.1.js': 'app()',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'errors.html.br'), brotliCompressSync('errors, compressed'));
    return serve(folder);
  };

  it('has each page under its bare name, and that of a folder at its slash', async () => {
    const get = await servedSite();
    const asked = ['/docs/', '/docs/errors', '/docs/runbooks/', '/docs/assets/app.1.js'];
    const answers = await Promise.all(asked.map((path) => get(path, { headers: { 'accept-encoding': '' } })));
    expect(answers.map(({ text }) => text)).toEqual(['home', 'errors', 'runbooks', 'app()']);
    const cached = answers.map(({ header }) => header('cache-control'));
    expect(cached).toEqual(['no-cache', 'no-cache', 'no-cache', 'public, max-age=31536000, immutable']);
  });

  it('is sent compressed to whom takes it, and not again to whom has it', async () => {
    const get = await servedSite();
    const { text, header } = await get('/docs/errors', { headers: { 'accept-encoding': 'gzip, br' } });
    expect([text, header('content-encoding')]).toEqual(['errors, compressed', 'br']);
    const again = await get('/docs/errors', { headers: { 'if-none-match': header('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([
    ['as a proxy that compresses answers names it', (tag: string) => `W/${tag}`],
    ['next to others', (tag: string) => `"other", ${tag}`],
  ])('is not sent again to whom has it, %s', async (_, named) => {
    const get = await servedSite();
    const { header } = await get('/docs/errors');
    const again = await get('/docs/errors', { headers: { 'if-none-match': named(header('etag') ?? '') } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(['br;q=0', 'gzip;q=1.0, br; q=0', 'x-br'])(
    'is sent as it is to whom takes it so alone: %s',
    async (accepted) => {
      const get = await servedSite();
      const { text, header } = await get('/docs/errors', { headers: { 'accept-encoding': accepted } });
      expect([text, header('content-encoding')]).toEqual(['errors', null]);
    },
  );

  it('runs no script but its own files', async () => {
    const { header } = await (await servedSite())('/docs/');
    expect(header('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; .*'script'/);
  });

  it.each(['/docs/nothing', '/docs/..%2f..%2fpackage.json', '/docs/%', '/docs/errors/'])(
    'answers %s with the page for what it does not have',
    async (path) => {
      const { status, text } = await (await servedSite())(path);
      expect([status, text]).toEqual([404, 'none such']);
    },
  );

  it('leads to its folders, and serves of the explorer its page and assets alone', async () => {
    const get = await servedSite();
    for (const path of ['/docs', '/docs/explorer']) {
      const { status, header } = await get(path);
      expect([status, header('location')]).toEqual([302, `${path}/`]);
    }
    expect((await get('/docs/explorer/')).text).toContain('swagger-ui');
    const [styles, script] = await Promise.all(
      ['swagger-ui.css', 'start.js'].map((name) => get(`/docs/explorer/${name}`)),
    );
    expect([styles?.header('content-type'), script?.text]).toEqual([
      'text/css; charset=utf-8',
      expect.stringContaining('/openapi.json'),
    ]);
    expect((await get('/docs/explorer/package.json')).text).not.toContain('swagger');
    expect((await get('/docs/errors', { method: 'POST' })).status).toBe(404);
  });

  it('says how it is built where it is not, and has a section for each error code', async () => {
    const get = await serve(await newFolder());
    expect((await get('/docs/')).text).toContain('npm run docs:site');
    const { text } = await get('/docs/errors');
    expect([...text.matchAll(/<h2 id="(\w+)">/g)].map(([, code]) => code)).toEqual([...errorCodes]);
    expect((await get('/docs/nothing')).status).toBe(404);
  });

  it('shows a page where the site is not built, and nothing beside the pages', async () => {
    const sources = await newFolder();
    const text =
      '# Queues & events\n\n| a | b |\n|---|---|\n| 1 | [x](keys.md#all), [y](../LICENSE) |\n\n<b>no</b>\n';
    await writeFile(join(sources, 'queues.md'), text);
    await writeFile(join(sources, 'keys.md'), '# Keys');
    await writeFile(join(sources, 'secrets.json'), '{}');
    const get = await serve(await newFolder(), sources);
    const { text: page, header } = await get('/docs/queues');
    expect(header('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('<h1 id="queues--events">Queues &amp; events</h1>');
    expect(page).toContain('<td><a href="keys#all">x</a>, y</td>');
    expect(page).not.toContain('<b>');
    for (const path of ['/docs/secrets.json', '/docs/secrets', '/docs/..%2fqueues', '/docs/nothing'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});
