import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isObject } from '@stanza/engine';
import { type Exhibit, messages, modals } from '@stanza/gallery/exhibits';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { type StartedSandbox, startedSandbox } from '@stanza/sandbox/testing/started-sandbox';
import { limits } from '@stanza/test-kit/limits';
import type { Browser, Page } from 'playwright-core';

/** A picture of one pixel, which stands in for every picture of the gallery. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Json = Readonly<Record<string, unknown>>;

/** Every block of an output, those inside others included, as the page draws them one by one. */
const blockTypesIn = (blocks: unknown): string[] =>
  Array.isArray(blocks)
    ? blocks.flatMap(({ type, child_blocks }: { type: string; child_blocks?: unknown }) => [
        type,
        ...blockTypesIn(child_blocks),
      ])
    : [];

/** Text objects whose text is shown as it is; menus hold theirs in their options. */
const isPlain = ({ type }: Json): boolean => type === 'plain_text' || type === 'raw_text' || type === 'text';

/** What is seen once a button is pressed, and where a client does not know the button of a cell. */
const unseen = new Set(['confirm', 'fallback']);

/** Every text of an output that a reader must find on the page, letter by letter. */
const plainTextsIn = (value: unknown): string[] => {
  if (!isObject(value)) return [];
  const own = isPlain(value) && typeof value.text === 'string' ? [value.text] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => (unseen.has(key) ? [] : plainTextsIn(inner))),
  ];
};

const inOneLine = (text: string): string =>
  text
    .replace(/:[a-z_]+:/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A part of the page as a person finds it. */
interface Seen {
  /** The blocks by their type. */
  readonly types: string[];
  /** Number of blocks and elements that the page cannot draw. */
  readonly unknown: number;
  /** Texts, and what stands in fields, placeholders and names. */
  readonly words: string[];
  readonly text: string;
}

/** Looks at a part of the page; runs there, where the types of the document are not ours. */
const seenAt = (selector: string): string => `(() => {
  const part = document.querySelector(${JSON.stringify(selector)});
  const nodes = [part, ...part.querySelectorAll('*')];
  const names = ['placeholder', 'aria-label', 'title', 'label', 'alt', 'value'];
  return {
    types: [...part.querySelectorAll('[data-block]')].map((block) => block.dataset.block),
    unknown: part.querySelectorAll('.unknown-block').length,
    words: nodes.flatMap((node) => [
      node.textContent,
      ...names.map((name) => node.getAttribute(name) ?? ''),
    ]),
    text: part.innerText,
  };
})()`;

let browser: Browser;
let sandbox: StartedSandbox;
let page: Page;
const complaints: string[] = [];

/** One page holds the whole gallery, as it would after a day of work. */
beforeAll(async () => {
  browser = await launchChromium();
  sandbox = await startedSandbox();
  for (const { slug, expected } of messages) {
    const { blocks, text } = expected;
    const posted = { channel: 'C0GENERAL', username: slug, blocks, text };
    await sandbox.client().apiCall('chat.postMessage', posted);
  }
  page = await browser.newPage({ viewport: { width: 1_180, height: 900 } });
  page.setDefaultTimeout(limits.conditionMs);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(line.text());
  });
  await page.route(/^https:/, (route) => route.fulfill({ contentType: 'image/png', body: pixel }));
  await page.goto(sandbox.url);
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

/** Every block is drawn by what knows its type, every text is there, and no shortcode is left as it is written. */
const expectShown = async (selector: string, { expected }: Exhibit): Promise<void> => {
  await page.locator(selector).waitFor({ state: 'visible' });
  const seen = await page.evaluate<Seen>(seenAt(selector));
  expect(seen.types).toEqual(blockTypesIn(expected.blocks));
  expect(seen.unknown).toBe(0);
  const words = inOneLine(seen.words.join(' '));
  const { blocks, title, submit, close } = expected;
  const texts = plainTextsIn([blocks, title, submit, close]).map(inOneLine);
  expect(texts.filter((text) => !words.includes(text))).toEqual([]);
  expect(seen.text).not.toMatch(/(?:^|\s):[a-z_]+:/);
};

describe('the page of the sandbox', () => {
  it.each(messages.map((message) => [message.slug, message] as const))(
    'shows a message of the gallery: %s',
    (slug, message) => expectShown(`[aria-label="${slug} in #general"]`, message),
    30_000,
  );

  it.each(modals.map((modal) => [modal.slug, modal] as const))(
    'shows a modal of the gallery: %s',
    async (slug, modal) => {
      const view = { id: slug, hash: slug, user: 'U0ADA', ...modal.expected };
      await page.evaluate(`import('/js/interaction/views.js').then(({ renderViews }) => {
        const root = document.createElement('div');
        document.body.append(root);
        renderViews(root, [${JSON.stringify(view)}]);
      })`);
      await expectShown(`[data-view="${slug}"]`, modal);
    },
  );

  it('finds nothing to complain of in any of them', () => {
    expect(complaints).toEqual([]);
  });
});
