import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { messages } from '@stanza/gallery/exhibits';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import type { Browser, Frame, Page } from 'playwright-core';
import { z } from 'zod';
import { connectAgent } from '../kit/agent.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { deployBlocks } from '../kit/templates.ts';

const address = 'ui://stanza/preview';

/** A host of agents: a page with the view in a closed frame, which answers it and hands it results. */
const host = `
  window.said = [];
  addEventListener('message', ({ source, data }) => {
    window.said.push(data.method);
    if (data.method === 'ui/initialize') {
      source.postMessage({ jsonrpc: '2.0', id: data.id, result: { protocolVersion: data.params.protocolVersion } }, '*');
    }
  });
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts';
  frame.srcdoc = window.view;
  document.body.append(frame);
  window.hand = (params) => frame.contentWindow.postMessage(
    { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params }, '*');
`;

describe('the page that shows a preview beside an agent', () => {
  let world: World;
  let agent: Client;
  let browser: Browser;
  let page: Page;
  let view: Frame;
  const requests: string[] = [];

  beforeAll(async () => {
    const opened = await openWorldWith({ connected: false });
    world = opened.world;
    agent = await connectAgent(world.api.base, (await opened.organization.key()).key);
    const { contents } = await agent.readResource({ uri: address });
    const [{ text }] = z.tuple([z.object({ text: z.string() })]).parse(contents);
    browser = await launchChromium();
    page = await browser.newPage();
    await page.route('**/*', (route) => {
      requests.push(route.request().url());
      return route.abort();
    });
    await page.evaluate(`window.view = ${JSON.stringify(text)}`);
    await page.evaluate(host);
    await page.waitForFunction("window.said.includes('ui/notifications/initialized')");
    const [, inner] = page.frames();
    if (!inner) throw new Error('the host shows no view');
    view = inner;
  });
  afterAll(async () => {
    await browser.close();
    await agent.close();
    await world.close();
  });

  const hand = (result: object) => page.evaluate(`window.hand(${JSON.stringify(result)})`);

  it('is named by the tool, and says that it needs nothing from elsewhere', async () => {
    const { tools } = await agent.listTools();
    const named = tools.filter(({ _meta }) => _meta?.ui !== undefined);
    expect(named.map(({ name, _meta }) => [name, _meta?.ui])).toEqual([
      ['preview', { resourceUri: address }],
    ]);
    const { contents } = await agent.readResource({ uri: address });
    expect(contents).toMatchObject([
      {
        mimeType: 'text/html;profile=mcp-app',
        _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
      },
    ]);
  });

  it('draws the result of a preview, of which hosts without views get text', async () => {
    const data = { service: 'api', version: '1.4.2' };
    const result = await agent.callTool({ name: 'preview', arguments: { blocks: deployBlocks, data } });
    expect(JSON.stringify(result.content)).toContain('Deploy of api');
    await hand(result);
    await view.getByRole('heading', { name: 'Deploy of api' }).waitFor();
  });

  it('draws the whole gallery, and asks nobody for anything', async () => {
    for (const { slug, expected } of messages) {
      await hand({ content: [], _meta: { 'stanza/message': { ...expected, username: slug } } });
      await view.locator('.author', { hasText: new RegExp(`^${slug}$`) }).waitFor();
      expect([slug, await view.locator('.unknown-block').count()]).toEqual([slug, 0]);
      expect(await view.locator('[data-block]').count()).toBeGreaterThan(0);
    }
    expect(requests).toEqual([]);
  });

  it('shows that there is no message where the tool has failed', async () => {
    await hand({ content: [], isError: true });
    await view.getByText('There is no message to show.').waitFor();
  });
});
