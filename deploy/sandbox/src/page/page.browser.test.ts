import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '@stanza/test-kit/limits';
import type { Browser, Locator, Page } from 'playwright-core';
import { blockSamples } from '../testing/block-samples.ts';
import { launchChromium } from '../testing/chromium.ts';
import { type StartedSandbox, startedSandbox } from '../testing/started-sandbox.ts';

let browser: Browser;
let screenshots: string;
let sandbox: StartedSandbox;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await launchChromium();
  screenshots = await mkdtemp(join(tmpdir(), 'stanza-sandbox-page-'));
});
afterAll(async () => {
  await browser?.close();
  // STANZA_SCREENSHOTS keeps the screenshots.
  if (process.env.STANZA_SCREENSHOTS === 'write') console.log(`The screenshots are in ${screenshots}.`);
  else await rm(screenshots, { recursive: true, force: true });
});

beforeEach(async () => {
  sandbox = await startedSandbox();
  page = await browser.newPage({ viewport: { width: 1_180, height: 900 } });
  page.setDefaultTimeout(limits.conditionMs);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    // Pictures that cannot be loaded are part of what is tested.
    const expected = line.location().url.startsWith('https://images.example/');
    if (line.type() === 'error' && !expected) complaints.push(line.text());
  });
});
afterEach(async () => {
  await page.close();
  await sandbox.close();
  expect(complaints).toEqual([]);
});

async function post(args: Record<string, unknown>): Promise<void> {
  await sandbox.client().apiCall('chat.postMessage', { channel: 'C0GENERAL', ...args });
}

async function open(): Promise<void> {
  await page.goto(sandbox.url);
  await page.getByText('Live', { exact: true }).waitFor();
}

const messages = () => page.getByRole('list', { name: 'Messages, newest first' }).getByRole('article');

/** Waits until all of these are visible. */
async function seen(...things: Locator[]): Promise<void> {
  for (const thing of things) await thing.waitFor({ state: 'visible' });
}

/** Waits until a text that may not be matched by role is what the locator shows. */
async function textsOf(locator: Locator, count: number): Promise<string[]> {
  await locator.nth(count - 1).waitFor();
  return locator.allInnerTexts();
}

describe('the page', () => {
  it('shows a message of every block type as a person would see it, in light and dark', async () => {
    await post({
      username: 'Release bot',
      icon_emoji: ':rocket:',
      text: 'Release 4.2',
      blocks: Object.values(blockSamples).filter(({ type }) => type !== 'data_table'),
    });
    await post({ blocks: [blockSamples.data_table] });
    await open();
    const release = page.getByRole('article', { name: 'Release bot in #general' });
    await seen(
      release.getByRole('heading', { name: 'Release 4.2 is out tada' }),
      release.getByText('Deploy finished', { exact: true }),
      release.getByText('@Grace Hopper'),
      release.getByRole('link', { name: 'run 7' }),
      release.getByRole('link', { name: 'Open', exact: true }),
      release.getByRole('img', { name: 'A falling line of latency' }),
      release.getByText('Latency this week'),
      release.getByRole('button', { name: 'Approve' }),
      release.getByRole('button', { name: 'Reject' }),
      release.getByRole('combobox', { name: 'Assign to…' }),
      release.getByText('#deploys'),
      release.getByText('Simplicity is a great virtue.'),
      release.getByText('ready in 2 s'),
      release.getByRole('heading', { name: 'Notes' }),
      release.getByRole('link', { name: 'a link' }),
      release.getByRole('textbox', { name: 'Your reason' }),
      release.getByRole('cell', { name: '€3.50' }),
      release.getByRole('img', { name: 'bar chart' }),
      release.getByText('The lighthouse', { exact: true }),
      release.getByText('The barn', { exact: true }),
      release.getByText('Everything is back to normal'),
      release.getByRole('button', { name: 'Good' }),
      release.getByRole('link', { name: 'Watch: A short introduction' }),
      release.getByText('Release plan'),
      release.getByText('Fetch the weather', { exact: true }),
    );
    const listed = release.getByRole('listitem');
    expect((await textsOf(listed, 2)).slice(0, 2)).toEqual(['Build it', 'Ship it']);
    await seen(page.getByRole('table', { name: 'Team scores' }).getByRole('rowheader', { name: 'Grace' }));
    await page.screenshot({ path: join(screenshots, 'light.png'), fullPage: true });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: join(screenshots, 'dark.png'), fullPage: true });
  });

  it('shows new messages at once, newest first', async () => {
    await open();
    await seen(page.getByRole('heading', { name: 'Nothing has been posted yet' }));
    await post({ text: 'first' });
    await seen(page.getByText('first', { exact: true }));
    await post({ text: 'second' });
    await seen(page.getByText('second', { exact: true }));
    const [newest, oldest] = await textsOf(messages(), 2);
    expect(newest).toContain('second');
    expect(oldest).toContain('first');
  });

  it('shows what data brings as text, never as markup or a mention', async () => {
    await post({ text: '<img src=x onerror=alert(1)> &lt;!channel&gt; <javascript:alert(1)|click>' });
    await post({
      blocks: [{ type: 'header', text: { type: 'plain_text', text: '<script>alert(2)</script>' } }],
    });
    await open();
    await seen(
      page.getByText('<!channel>'),
      page.getByText('<script>alert(2)</script>'),
      page.getByText('click'),
    );
    expect(await page.locator('.mention').count()).toBe(0);
    expect(await messages().getByRole('link').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
  });

  it('lets no script run but its own', async () => {
    const response = await page.goto(sandbox.url);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  it('marks a reply in a thread, and tells key and metadata on demand', async () => {
    const metadata = { event_type: 'stanza_message', event_payload: { key: '0198-key' } };
    await post({ text: 'question' });
    const [{ ts } = { ts: '' }] = await sandbox.messages();
    await post({ text: 'answer', thread_ts: ts, metadata });
    await open();
    const answer = messages().filter({ hasText: 'answer' });
    await seen(answer.getByText(`Reply in the thread of ${ts}`));
    expect(await answer.getByText('0198-key').count()).toBe(0);
    await answer.getByText('Details').click();
    await seen(answer.getByText('0198-key', { exact: true }), answer.getByText('stanza_message'));
  });

  it('narrows to one conversation and back', async () => {
    await post({ text: 'in general' });
    await post({ channel: 'U0ADA', text: 'to Ada' });
    await open();
    const conversations = page.getByRole('navigation', { name: 'Conversations' });
    await conversations.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.getByText('in general').waitFor({ state: 'detached' });
    await seen(page.getByText('to Ada'), page.getByRole('heading', { name: 'Ada Lovelace' }));
    await conversations.getByRole('button', { name: 'All messages' }).click();
    await seen(page.getByText('in general'));
  });

  it('opens at the conversation that a link to a message names', async () => {
    await post({ text: 'in general' });
    await post({ channel: 'U0ADA', text: 'to Ada' });
    await page.goto(`${sandbox.url}/archives/C0GENERAL/p1712345678000100`);
    await seen(page.getByText('in general'), page.getByRole('heading', { name: '#general' }));
    expect(await page.getByText('to Ada').count()).toBe(0);
  });

  it('empties when the messages are cleared', async () => {
    await post({ text: 'gone soon' });
    await open();
    await seen(page.getByText('gone soon'));
    await page.getByRole('button', { name: 'Clear' }).click();
    await seen(page.getByRole('heading', { name: 'Nothing has been posted yet' }));
    expect(await sandbox.messages()).toEqual([]);
  });

  it('fits a phone without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await post({
      blocks: [blockSamples.section, blockSamples.actions, blockSamples.carousel, blockSamples.table],
    });
    await open();
    await seen(messages().first());
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    await page.screenshot({ path: join(screenshots, 'phone.png'), fullPage: true });
  });
});
