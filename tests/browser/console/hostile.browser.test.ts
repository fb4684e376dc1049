import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  createDestination,
  createModal,
  createQueue,
  createSampleData,
  createTemplate,
  sendTemplate,
} from '@stanza/contracts';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { testStack } from '@stanza/test-kit/database';
import type { Browser } from 'playwright-core';
import { openWorld, type World } from '../../kit/stack.ts';
import { ConsolePage } from './console-page.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';

/** What would run, were it ever taken for markup, for a script or for an address. */
const image = '<img src=x onerror="window.broken=1">';
const script = '"><script>window.broken=2</script>';
const address = 'javascript:window.broken=3';
const hostile = `${image}${script}${address}`;
const short = '<svg onload="window.broken=4">';

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });

const blocks = [
  { type: 'header', text: plain(short) },
  { type: 'section', text: mrkdwn(`${hostile} {{who}} <${address}|a link>`) },
  { type: 'markdown', text: `${hostile} [press](${address})` },
  { type: 'image', image_url: 'https://example.com/a.png', alt_text: hostile },
  { type: 'section', id: short, text: mrkdwn('{{#bad}}'.replace('{{#bad}}', hostile)) },
];

describe('the console with what an attacker has written', () => {
  let world: World;
  let browser: Browser;
  let console: ConsoleWorld;
  let opened: ConsolePage;
  let template: string;

  beforeAll(async () => {
    browser = await launchChromium();
    world = await openWorld();
    console = await openConsoleWorld(world);
    const { api } = console;
    const data = { who: hostile, [short]: hostile };
    const body = { name: short, description: hostile, blocks, sample_data: data };
    const { id, version } = await api.ok(createTemplate, { body });
    template = id;
    await api.ok(activateTemplateVersion, {
      params: { id, version_id: version.id },
      body: { note: hostile },
    });
    await api.ok(sendTemplate, { body: { template_id: id, data, channel_id: 'C0DEPLOYS' } });
    await api.ok(createSampleData, { body: { name: short, data, template_id: id } });
    await api.ok(createModal, {
      body: {
        name: short,
        title: '<b onclick=1>',
        description: hostile,
        blocks: [{ type: 'section', text: mrkdwn(hostile) }],
        activate: true,
      },
    });
    await api.ok(createDestination, {
      body: { name: short, url: `https://example.com/${encodeURIComponent(script)}` },
    });
    await api.ok(createQueue, {
      body: {
        name: short,
        mode: 'rolling_window',
        window_seconds: 600,
        template_id: id,
        channel_id: 'C0DEPLOYS',
      },
    });
    const origins = [world.api.base, testStack().identity_url, 'https://example.com'];
    opened = await ConsolePage.open(
      browser,
      { width: 1440, colorScheme: 'light' },
      origins.map((url) => new URL(url).origin),
    );
    await opened.page.route(/^https:/, (route) => route.fulfill({ contentType: 'image/png', body: '' }));
    await opened.signInAsOlivia(`${world.api.base}/console/${console.id}/production/templates`);
  });
  afterAll(async () => {
    await browser.close();
    await console.end();
    await world.close();
  });

  /** Nothing has run, and the policy of the page had nothing to refuse. */
  const expectNothingRan = async (where: string): Promise<void> => {
    const broken = await opened.page.evaluate('window.broken');
    expect({ where, broken, complaints: opened.complaints }).toEqual({
      where,
      broken: undefined,
      complaints: { console: [], foreign: [] },
    });
  };
  const inside = (path: string): string => `/console/${console.id}/production/${path}`;

  it.each([
    ['templates', 'Templates'],
    ['modals', 'Modals'],
    ['messages', 'Messages'],
    ['queues', 'Queues'],
    ['destinations', 'Destinations'],
  ])(
    'shows their names in the list of %s, and the first of them, as the letters that they are',
    async (screen, list) => {
      const { page } = opened;
      await opened.goInside(inside(screen));
      const row = page.getByRole('table', { name: list }).getByRole('link', { name: short }).first();
      await row.waitFor();
      await row.click();
      await page.getByText(short).first().waitFor();
      await page.waitForLoadState('networkidle');
      await expectNothingRan(screen);
    },
  );

  it('draws their blocks and data in the editor, and their addresses lead nowhere', async () => {
    const { page } = opened;
    await opened.goInside(inside(`templates/${template}`));
    await page.getByRole('region', { name: 'Preview' }).getByText(image).first().waitFor();
    const addresses = await page.evaluate<string[]>(
      "[...document.querySelectorAll('#content a')].map((link) => link.href)",
    );
    expect(addresses.filter((href) => href.startsWith('javascript:'))).toEqual([]);
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('textbox', { name: 'Template as JSON' }).waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expectNothingRan('editor');
  });

  it('repeats what they put into an address, a filter or an error as letters', async () => {
    const { page } = opened;
    await opened.goInside(inside(`audit-log?action=${encodeURIComponent(hostile)}`));
    await page
      .getByRole('alert')
      .or(page.getByRole('heading', { name: 'No change matches' }))
      .first()
      .waitFor();
    await expectNothingRan('audit log');
    await opened.goInside(inside(`templates?q=${encodeURIComponent(hostile)}`));
    await page.getByRole('heading', { name: 'No template matches' }).waitFor();
    await expectNothingRan('filter');
    await opened.goInside(inside(`queues/${encodeURIComponent(short)}`));
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectNothingRan('address');
    await opened.goInside(inside(`messages?status=${encodeURIComponent(short)}`));
    await page.getByRole('alert').waitFor();
    opened.forgetFailedRequests();
    await expectNothingRan('error');
  });
});
