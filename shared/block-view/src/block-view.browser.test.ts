import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { blockSchema } from '@stanza/engine';
import { nativeMessages } from '@stanza/engine/testing';
import { exhibits } from '@stanza/gallery/exhibits';
import { blockSamples } from '@stanza/sandbox/testing/block-samples';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { corpusSamples } from '@stanza/sandbox/testing/corpus';
import type { Browser } from 'playwright-core';
import { type DrawingPage, openDrawingPage } from './testing/drawing-page.ts';

let browser: Browser;
let drawing: DrawingPage;
beforeAll(async () => {
  browser = await launchChromium();
  drawing = await openDrawingPage(browser);
});
afterAll(() => browser.close());
afterEach(() => expect(drawing.complaints.splice(0)).toEqual([]));

const names = { U0ADA: 'Ada Lovelace', U0GRACE: 'Grace Hopper', C0DEPLOYS: 'deploys' };
const root = () => drawing.page.locator('#root');
const json = (value: unknown) => JSON.stringify(value);
const plain = (text: string) => ({ type: 'plain_text', text });
const notDrawn = () => root().locator('.unknown-block').allInnerTexts();

/** Draws blocks with the names above; `more` is the rest of the context, as code. */
const drawBlocks = (blocks: unknown, more = '') =>
  drawing.draw(`drawBlocks(${json(blocks)}, { names: ${json(names)}, ${more} })`);

/** Makes the page record the uses of elements. */
const recording = 'onAction: (use) => globalThis.uses.push(use)';
const uses = () => drawing.page.evaluate('globalThis.uses.splice(0)');

describe('blocks in a page', () => {
  it.each(exhibits.map((exhibit) => [exhibit.slug, exhibit] as const))(
    'draws %s of the gallery whole',
    async (_, { kind, expected }) => {
      if (kind === 'modal') await drawing.draw(`drawModal(${json(expected.view ?? expected)})`);
      else await drawing.draw(`drawMessage(${json(expected)})`);
      expect(await notDrawn()).toEqual([]);
      expect(await root().locator('[data-block]').count()).toBeGreaterThan(0);
    },
  );

  it('draws every valid sample of the corpus whole', async () => {
    for (const { file, blocks } of corpusSamples('valid')) {
      await drawBlocks(blocks);
      expect([file, await notDrawn()]).toEqual([file, []]);
    }
  });

  it('draws each type of block of a message, by its role and text', async () => {
    await drawBlocks(Object.values(blockSamples));
    expect(await notDrawn()).toEqual([]);
    const seen = [
      root().getByRole('heading', { name: 'Release 4.2 is out tada' }),
      root().getByText('@Grace Hopper'),
      root().getByText('#deploys'),
      root().getByRole('link', { name: 'run 7' }),
      root().getByRole('button', { name: 'Approve' }),
      root().getByRole('combobox', { name: 'Assign to…' }),
      root().getByRole('textbox', { name: 'Your reason' }),
      root().getByRole('img', { name: 'bar chart' }),
      root().getByRole('cell', { name: '€3.50' }),
      root().getByRole('rowheader', { name: 'Grace' }),
      root().getByRole('link', { name: 'Watch: A short introduction' }),
    ];
    for (const element of seen) expect(await element.count()).toBe(1);
  });

  it('draws every type of block and of element that a template may hold', async () => {
    const drawn = new Set(
      await drawing.page.evaluate<string[]>(
        '[...view.drawnBlockTypes, ...view.drawnElementTypes, ...view.drawnLeafTypes]',
      ),
    );
    const { block_types, elements, rich_text } = blockSchema();
    const inline = Object.keys(rich_text).filter((type) => !type.startsWith('rich_text_'));
    // A `chart` is a form of templates alone: it comes out as data_visualization.
    const { chart: _, ...posted } = block_types;
    const written = [...Object.keys(posted), ...Object.keys(elements), ...inline];
    expect(written.length).toBeGreaterThan(40);
    expect(written.filter((type) => !drawn.has(type))).toEqual([]);
  });

  it.each(Object.entries(nativeMessages))('draws a native message whole: %s', async (_, blocks) => {
    await drawBlocks(blocks);
    expect(await notDrawn()).toEqual([]);
  });

  it('draws references, tags, levels of headers and buttons in cells by their role and text', async () => {
    const line = (...elements: unknown[]) => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements }],
    });
    await drawBlocks([
      { type: 'header', level: 2, text: plain('Second') },
      line(
        { type: 'tag', text: 'New', color: 'blue' },
        {
          type: 'workflow_mention',
          workflow_id: 'W',
          function_trigger_id: 'F',
          text: 'Run',
          url: 'https://e.com',
        },
        { type: 'canvas_user_mention', user_id: 'U0ADA' },
        { type: 'citation', url: 'https://e.com/s', text: 'the source', index: 3, details: {} },
      ),
      {
        type: 'data_table',
        caption: 'Orders',
        rows: [
          [{ type: 'raw_text', text: 'Order' }],
          [{ type: 'action_cell', element: { type: 'button', action_id: 'a', text: plain('Book') } }],
        ],
      },
    ]);
    const seen = [
      root().getByRole('heading', { name: 'Second', level: 4 }),
      root().getByText('New'),
      root().getByRole('link', { name: 'Run' }),
      root().getByText('@Ada Lovelace'),
      root().getByRole('link', { name: '[3]' }),
      root().getByRole('button', { name: 'Book' }),
    ];
    for (const element of seen) expect(await element.count()).toBe(1);
  });

  it('shows a block of an unknown type, and a malformed one, as such and with their texts', async () => {
    const section = { type: 'section', text: plain('After it') };
    await drawBlocks([
      { type: 'hologram', text: plain('Words') },
      { type: 'table', rows: null },
      { type: 'actions', elements: [{ type: 'lever' }] },
      { type: 'toString' },
      section,
    ]);
    const shown = await notDrawn();
    expect(shown[0]).toMatch(/^Block type hologram\s+Words$/);
    expect(shown[1]).toMatch(/^Malformed block of type table: /);
    expect(shown.slice(2)).toEqual(['Element type lever', 'Block type toString']);
    expect(await root().getByText('After it').isVisible()).toBe(true);
  });

  it('draws data as text, never as markup', async () => {
    const attack = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    await drawBlocks([
      { type: 'header', text: plain(attack) },
      { type: 'markdown', text: attack },
    ]);
    expect(await root().locator('img, script').count()).toBe(0);
    expect(await root().getByRole('heading').innerText()).toBe(attack);
  });

  it('begins a text from right to left at the right, whatever the line before it is', async () => {
    await drawBlocks([
      { type: 'header', text: plain(':tada: תודה, עדה') },
      { type: 'section', text: { type: 'mrkdwn', text: 'Order A-4711\n*شكرًا* لطلبك A-4711.' } },
    ]);
    const beginsAtRight = (selector: string, line: string) =>
      drawing.page.evaluate(`(() => {
        const texts = document.createTreeWalker(document.querySelector('${selector}'), NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const at = texts.currentNode.data.indexOf('${line}');
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(texts.currentNode, at);
          range.setEnd(texts.currentNode, at + ${line.length});
          return range.getBoundingClientRect().left > innerWidth / 2;
        }
      })()`);
    expect(await beginsAtRight('.header-block', 'תודה')).toBe(true);
    expect(await beginsAtRight('.text', 'شكرًا')).toBe(true);
    expect(await beginsAtRight('.text', 'Order')).toBe(false);
  });

  it('draws dates for the clock, the zone and the language it is told', async () => {
    const text = '<!date^1712345678^{date_long}, {time}, {ago}|then>';
    await drawBlocks(
      [{ type: 'section', text: { type: 'mrkdwn', text } }],
      "locale: 'de', timeZone: 'Asia/Tokyo', now: () => new Date(1712345678000 + 7200000)",
    );
    expect(await root().locator('time').innerText()).toBe('Samstag, 6. April 2024, 04:34, vor 2 Stunden');
  });
});

describe('the use of elements', () => {
  const options = [
    { text: plain('Small'), value: 's' },
    { text: plain('Large'), value: 'l' },
  ];
  const order = {
    type: 'actions',
    block_id: 'order',
    elements: [
      {
        type: 'button',
        action_id: 'go',
        text: plain('Order'),
        value: 'A-1',
        confirm: { title: plain('Sure?') },
      },
      { type: 'static_select', action_id: 'size', placeholder: plain('Size'), options },
    ],
  };

  it('is reported with the values of the elements around it', async () => {
    await drawBlocks([order], recording);
    await root().getByRole('combobox', { name: 'Size' }).selectOption('Large');
    const selected = { type: 'static_select', selected_option: options[1] };
    expect(await uses()).toEqual([
      { action: { ...selected, action_id: 'size', block_id: 'order' }, state: { order: { size: selected } } },
    ]);
  });

  it('is reported only after the question of the element is confirmed', async () => {
    await drawBlocks([order], `confirm: (question) => question !== 'Sure?', ${recording}`);
    await root().getByRole('button', { name: 'Order' }).click();
    expect(await uses()).toEqual([]);
    await drawBlocks([order], `confirm: (question) => question === 'Sure?', ${recording}`);
    await root().getByRole('button', { name: 'Order' }).click();
    expect(await uses()).toMatchObject([{ action: { action_id: 'go', value: 'A-1' } }]);
  });

  it('of a modal submits its values once the required ones are there', async () => {
    const input = (block_id: string, optional: boolean) => ({
      type: 'input',
      block_id,
      optional,
      label: plain(block_id),
      element: { type: 'plain_text_input', action_id: 'text', placeholder: plain(block_id) },
    });
    const modal = {
      title: plain('Form'),
      submit: plain('Send'),
      blocks: [input('why', false), input('how', true)],
    };
    const onSubmit = "async (state) => { globalThis.uses.push(state); return { why: 'No reason.' }; }";
    await drawing.draw(`drawModal(${json(modal)}, { onSubmit: ${onSubmit} })`);
    const dialog = root().getByRole('dialog', { name: 'Form' });
    await dialog.getByRole('button', { name: 'Send' }).click();
    expect(await dialog.getByRole('alert').allInnerTexts()).toEqual(['Please complete this required field.']);
    await dialog.getByRole('textbox', { name: 'why' }).fill('late');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('No reason.').waitFor();
    expect(await uses()).toMatchObject([
      { why: { text: { value: 'late' } }, how: { text: { value: null } } },
    ]);
  });
});
