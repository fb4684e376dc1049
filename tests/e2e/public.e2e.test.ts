import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpOperations, openApiDocument } from '@stanza/contracts';
import { productVersion } from '@stanza/runtime';
import { testStack } from '@stanza/test-kit/database';

describe('the public endpoints of the gateway', () => {
  const base = testStack().base_url;
  const get = (path: string) => fetch(base + path);

  it.each(['/livez', '/readyz'])('%s answers 200 while all is well', async (path) => {
    const response = await get(path);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('/version names the version of Stanza, as package.json has it', async () => {
    const version = productVersion;
    expect(await (await get('/version')).json()).toEqual({ name: 'stanza', version });
  });

  it('/openapi.json is the document of every operation', async () => {
    const document = Object(await (await get('/openapi.json')).json());
    const servers = [{ url: base, description: 'This gateway.' }];
    expect(document).toEqual({ ...JSON.parse(JSON.stringify(openApiDocument())), servers });
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '0.0.1' } });
    const described = Object.values(document.paths).flatMap((methods) => Object.keys(Object(methods)));
    expect(described).toHaveLength(httpOperations.length);
  });

  it('/docs/explorer/ is a page whose every asset comes from the gateway itself', async () => {
    const page = await (await get('/docs/explorer/')).text();
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      expect(asset).not.toMatch(/^(https?:)?\/\//);
      expect((await get(new URL(asset, 'http://x/docs/explorer/').pathname)).status).toBe(200);
    }
  });

  it('/downloads has the packages of this version, each with its digest and the line that installs it', async () => {
    const page = await (await get('/downloads/')).text();
    expect(page).toContain(`of Stanza ${productVersion}`);
    expect(page).toContain('npm install http://');
    const links = [...page.matchAll(/href="([\w.-]+)#sha256=(\w{64})"/g)];
    expect(links.map(([, name]) => name)).toEqual(
      expect.arrayContaining(['stanza-cli.tgz', 'stanza-sdk.tgz']),
    );
    for (const [, name, digest] of links) {
      const content = Buffer.from(await (await get(`/downloads/${name}`)).arrayBuffer());
      expect(createHash('sha256').update(content).digest('hex')).toBe(digest);
    }
    expect((await get('/downloads/other.tgz')).status).toBe(404);
    expect((await get('/downloads/../main.js')).status).toBe(404);
    expect((await get('/downloads/%2e%2e%2fmain.js')).status).toBe(404);
  });

  it('/ leads a browser to the console, and tells a program where the operations are', async () => {
    const ask = (accept: string) => fetch(`${base}/`, { headers: { accept }, redirect: 'manual' });
    const page = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.headers.get('location')]).toEqual([302, '/console/']);
    for (const accept of ['*/*', 'application/json']) expect((await ask(accept)).status).toBe(404);
  });

  it('/console/auth has the steps of the sign-in and no pages', async () => {
    const response = await get('/console/auth/nowhere');
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('metrics are not on the port of the API', async () => {
    expect((await get('/metrics')).status).toBe(404);
  });
});

describe('the metrics of every process', () => {
  let pages: Record<string, string>;

  beforeAll(async () => {
    const { metrics } = testStack();
    const entries = Object.entries(metrics).map(async ([name, url]) => [
      name,
      await (await fetch(url)).text(),
    ]);
    pages = Object.fromEntries(await Promise.all(entries));
  });
  afterAll(() => expect(Object.keys(pages)).toContain('gateway'));

  it('are in the format of Prometheus, and name the service', () => {
    for (const [name, page] of Object.entries(pages)) {
      expect(page).toMatch(/^# TYPE stanza_rpc_in_flight gauge$/m);
      // Replicas are told apart by their address.
      expect(page).toContain(`service="${name.replace(/-\d+$/, '')}"`);
    }
  });

  it('have the figures of the process once', () => {
    const ofProcess = Object.values(pages).filter((page) =>
      page.includes('# TYPE process_cpu_seconds_total counter'),
    );
    expect(ofProcess.length).toBeGreaterThan(0);
  });

  it('hold no label whose values grow with the customers', () => {
    for (const page of Object.values(pages)) {
      expect(page).not.toMatch(
        /[{,](organization|organization_id|tenant|template_id|key|channel|workspace)="/,
      );
    }
  });
});
