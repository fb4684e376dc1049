import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTemplate } from '@stanza/contracts';
import type { Locator } from 'playwright-core';
import { sharedByTests } from '../../kit/shared.ts';
import { waitFor } from '../../kit/wait.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

const paragraph = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const directive = (name: string, more: object) => ({ type: 'directive', directive: name, ...more });

/** Everything in which blocks can stand, each with a plain block at its end, and the words that insert into it. */
const containers = [
  ['a repeated section', directive('#each', { path: 'changes', children: [paragraph('Leaf')] }), /changes$/],
  [
    'a condition',
    directive('#if', { condition: { path: 'late', operator: 'truthy' }, children: [paragraph('Leaf')] }),
    /late is set$/,
  ],
  [
    'what is shown otherwise',
    directive('#if', {
      condition: { path: 'late', operator: 'truthy' },
      children: [],
      else: [paragraph('Leaf')],
    }),
    /otherwise$/,
  ],
  [
    'what is shown for an empty list',
    directive('#each', { path: 'changes', children: [], empty: [paragraph('Leaf')] }),
    /empty$/,
  ],
  ['a group', directive('#block', { name: 'legal', children: [paragraph('Leaf')] }), /group/],
  [
    'a frame',
    {
      type: 'container',
      title: { type: 'plain_text', text: 'Box' },
      child_blocks: [paragraph('Leaf')],
    },
    /box$/,
  ],
] as const;

describe('the outline of the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  let author: Author;
  let templates: string;

  beforeAll(async () => {
    const { browser, world, console, identityUrl } = shared();
    templates = `${world.api.base}/console/${console.id}/production/templates`;
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    author = new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins));
    await author.opened.signInAsOlivia(templates);
  });

  /** Opens a new template of these blocks. */
  const begin = async (...blocks: readonly object[]): Promise<void> => {
    const body = { name: 'Outlined', blocks: JSON.parse(JSON.stringify(blocks)) };
    const { id } = await shared().console.api.ok(createTemplate, { body });
    await author.page.goto(`${templates}/${id}`);
    await author.region('Blocks').getByRole('listitem').first().waitFor();
  };
  const rows = (name: RegExp) => author.region('Blocks').getByRole('button', { name });
  const text = () => author.region('Section fields').getByRole('textbox', { name: 'Text', exact: true });

  for (const [name, block, insert] of containers) {
    it(`adds blocks to ${name} that ends with a plain block`, async () => {
      await begin(block);
      await rows(/^\+ Add block/)
        .and(author.page.getByRole('button', { name: insert }))
        .click();
      await author.choose('Divider');
      await rows(/^Divider/).waitFor();
      // What was added is chosen, and has a button that adds behind it.
      await author.key('Escape');
      await author.add('Header');
      await rows(/^Header/).waitFor();
      await author.button('Add after the selected one /').click();
      await author.choose('Image');
      await rows(/^Image/).waitFor();
      const kinds = await rows(/^(Section|Divider|Header|Image)/).allInnerTexts();
      expect(kinds.map((it) => it.split(/\s/)[0])).toEqual(['Section', 'Divider', 'Header', 'Image']);
    });
  }

  it('moves a row by the mouse, also into a group, undone in one step and cancelled by Escape', async () => {
    await begin(
      paragraph('First'),
      paragraph('Second'),
      directive('#each', { path: 'changes', children: [paragraph('{{this}}')] }),
    );
    const { mouse } = author.page;
    const dragTo = async (row: Locator, target: Locator, upper: boolean): Promise<void> => {
      await row.hover();
      await mouse.down();
      const { x = 0, y = 0, height = 0 } = (await target.boundingBox()) ?? {};
      await mouse.move(x + 20, y + height * (upper ? 0.2 : 0.8), { steps: 4 });
    };
    const order = async () =>
      (await rows(/^(Section|Repeat)/).allInnerTexts()).map(
        (it) => /First|Second|changes|this/.exec(it)?.[0],
      );
    const said = (words: string) =>
      author.page.getByRole('status').getByText(words, { exact: true }).waitFor();

    await dragTo(rows(/^Section First/), rows(/^Section Second/), false);
    await mouse.up();
    await said('Section moved to place 2 of 3');
    await author.seesFocusOn(rows(/^Section First/));
    expect(await order()).toEqual(['Second', 'First', 'changes', 'this']);
    await author.button('Undo').click();
    expect(await order()).toEqual(['First', 'Second', 'changes', 'this']);

    await dragTo(rows(/^Section First/), rows(/^Section {{this/), true);
    await mouse.up();
    await said('Section moved to place 1 of 2 in Repeat for each changes');
    expect(await order()).toEqual(['Second', 'changes', 'First', 'this']);

    await dragTo(rows(/^Section Second/), rows(/^Section {{this/), false);
    await author.key('Escape');
    await mouse.up();
    expect(await order()).toEqual(['Second', 'changes', 'First', 'this']);

    // Lifted in another window, of which the page sees a pointer without buttons alone.
    await dragTo(rows(/^Section Second/), rows(/^Section {{this/), false);
    await author.page.evaluate(
      "window.dispatchEvent(new PointerEvent('pointermove', { pointerId: 1, buttons: 0 }))",
    );
    await mouse.up();
    expect(await order()).toEqual(['Second', 'changes', 'First', 'this']);
  });

  it('keeps a group folded when blocks move, and opens it for what is chosen inside', async () => {
    await begin(paragraph('First'), directive('#block', { name: 'both', children: [paragraph('Leaf')] }));
    await author.seesDrawn('Leaf');
    const mark = author.region('Blocks').getByRole('button', { name: /^Contents of Group/ });
    const sees = (isOpen: boolean) => mark.and(author.page.locator(`[aria-expanded="${isOpen}"]`)).waitFor();
    await mark.click();
    await rows(/^Section First/).click();
    await author.key('Alt+ArrowDown');
    await sees(false);
    await author.region('Preview').getByText('Leaf', { exact: true }).click();
    await sees(true);
    await mark.click();
    await sees(false);
    await rows(/^Group/)
      .and(author.page.locator('[aria-current="true"]'))
      .waitFor();
  });

  it('moves a drawn block by its handle while its words can be marked, and what a loop draws as one', async () => {
    const sample = ['one', 'two'].map(paragraph);
    await begin(
      paragraph('First'),
      directive('#block', { name: 'both', children: sample }),
      paragraph('Last'),
    );
    await author.seesDrawn('Last');
    const { mouse } = author.page;
    const drawn = (text: string) => author.region('Preview').getByText(text, { exact: true });
    const { x = 0, y = 0 } = (await drawn('First').boundingBox()) ?? {};
    const dragToFirst = async (place: Locator): Promise<void> => {
      await place.hover({ position: { x: 6, y: 8 } });
      await mouse.down();
      await mouse.move(x + 20, y + 2, { steps: 4 });
      await mouse.up();
    };
    await dragToFirst(drawn('two'));
    expect(await author.page.evaluate('getSelection().toString()')).toContain('one');
    expect((await rows(/^(Section|Group)/).allInnerTexts()).at(0)).toContain('First');
    await dragToFirst(
      author.region('Preview').locator('[data-block-id]', { hasText: 'two' }).locator('[data-handle]'),
    );
    await author.page.getByRole('status').getByText('Group moved to place 1 of 3', { exact: true }).waitFor();
    await author.seesFocusOn(rows(/^Group/));
    expect((await rows(/^(Section|Group)/).allInnerTexts()).at(-2)).toContain('First');
    await author.button('Undo').click();
    await rows(/^Section First/).click();
    expect((await rows(/^(Section|Group)/).allInnerTexts()).at(0)).toContain('First');
  });

  it('adds a block behind what was repeated a moment ago, and into it where that is asked for', async () => {
    await begin(paragraph('First'));
    await author.button('Add block /').click();
    await author.choose('Repeat for each');
    await author.type('changes');
    await author.button('Add block /').click();
    await author.choose('Divider');
    await rows(/^Divider/).waitFor();
    expect(
      await rows(/^Divider/)
        .locator('xpath=ancestor::li')
        .count(),
    ).toBe(1);
    await author.button('+ Add block into repeat for each changes').click();
    await author.choose('Header');
    await rows(/^Header/).waitFor();
    expect(
      await rows(/^Header/)
        .locator('xpath=ancestor::li')
        .count(),
    ).toBe(2);
  });

  it('lets a press that leaves the palette do what it means', async () => {
    await begin(paragraph('First'), paragraph('Second'), paragraph('Third'));
    const palette = author.page.getByRole('dialog', { name: 'Add block' });
    await rows(/^Section First/).click();
    await author.button('Add after the selected one /').click();
    await palette.waitFor();
    // Those stand below the palette, which is gone when the press ends.
    await rows(/^Section Third/).click({ delay: 50 });
    await palette.waitFor({ state: 'hidden' });
    expect(await rows(/^Section Third/).getAttribute('aria-current')).toBe('true');
    await rows(/^Section First/).click();
    await author.button('Add after the selected one /').click();
    await author.button('Add block').click({ delay: 50 });
    await author.choose('Divider');
    await rows(/^Divider/).waitFor();
    const kinds = await rows(/^(Section|Divider)/).allInnerTexts();
    expect(kinds.map((it) => it.split(/\s/)[0])).toEqual(['Section', 'Section', 'Section', 'Divider']);
  });

  it('adds the block that the list was scrolled to', async () => {
    await begin(paragraph('First'));
    await author.button('Add block /').click();
    const list = author.page.getByRole('listbox', { name: 'Blocks to add' });
    const last = list.getByRole('option').last();
    // What most messages are made of comes first.
    const names = await list.getByRole('option').allInnerTexts();
    expect(names.findIndex((name) => name.startsWith('Repeat for each…'))).toBeLessThan(8);
    await list.hover();
    await author.page.mouse.wheel(0, 5_000);
    const isAtEnd = `(([list]) => list.scrollTop + list.clientHeight >= list.scrollHeight - 1)(
      document.querySelectorAll('[aria-label="Blocks to add"]'))`;
    await waitFor('the end of the list', () => author.page.evaluate<boolean>(isAtEnd));
    const { x = 0, y = 0, height = 0 } = (await last.boundingBox()) ?? {};
    const name = (await last.getAttribute('aria-label')) ?? '';
    // Neither the way of the pointer nor its press moves the list.
    await author.page.mouse.move(x + 40, y + height / 2, { steps: 4 });
    await author.page.mouse.down();
    await author.page.mouse.up();
    await rows(new RegExp(`^${name}`)).waitFor();
  });

  it('makes an item of each pasted line', async () => {
    await begin(
      paragraph('One\nTwo\nThree'),
      directive('#each', { path: 'changes', as: 'change', children: [paragraph('{{change}}')] }),
    );
    await rows(/^Section One/).click();
    await text().press('Control+A');
    await author.key('Control+C');
    const list = author.region('Data').getByRole('group', { name: 'Changes' });
    await author.button('Add item to Changes').click();
    await author.seesFocusOn(list.getByRole('textbox'));
    await author.key('Control+V');
    await author.seesDrawn('Three');
    const items = await list.getByRole('textbox').all();
    expect(await Promise.all(items.map((item) => item.inputValue()))).toEqual(['One', 'Two', 'Three']);
    // Pasted over all of an item, they take its place.
    await items[0]?.press('Control+A');
    await author.key('Control+V');
    await list.getByRole('textbox').nth(4).waitFor();
    const next = await list.getByRole('textbox').all();
    const values = await Promise.all(next.map((item) => item.inputValue()));
    expect(values).toEqual(['One', 'Two', 'Three', 'Two', 'Three']);
  });

  it('keeps what was written while something else is tried in its place', async () => {
    await begin(paragraph('For {{customer}}'));
    const customer = author.region('Data').getByRole('textbox', { name: 'Customer', exact: true });
    await customer.fill('Ada');
    await author.seesDrawn('For Ada');
    await author.button('Missing values').click();
    await author.button('Back to your data').waitFor();
    await author.page.reload();
    await author.seesDrawn('For Ada');
    expect(await customer.inputValue()).toBe('Ada');
  });

  it('keeps the focus in a field of the data while a long text becomes a short one', async () => {
    await begin(paragraph('For {{customer}}'));
    const customer = author.region('Data').getByRole('textbox', { name: 'Customer', exact: true });
    await customer.fill('a long name '.repeat(12));
    await author.key('Control+A');
    await author.type('Ada Lovelace');
    expect(await customer.inputValue()).toBe('Ada Lovelace');
  });

  it('begins a value at the end of a text that nobody entered, and Escape takes it back', async () => {
    await begin(paragraph('For {{customer}}'));
    await rows(/^Section/).click();
    await author.region('Section fields').getByRole('button', { name: 'Insert a value of the data' }).click();
    expect(await text().inputValue()).toBe('For {{customer}}{{');
    await author.region('Section fields').getByRole('listbox').waitFor();
    await author.key('Escape');
    expect(await text().inputValue()).toBe('For {{customer}}');
  });

  it('tells of what a new block lacks once its form was left', async () => {
    await begin(paragraph('First'));
    await author.button('Add block /').click();
    await author.choose('Repeat for each');
    await author.region('Preview').getByText('as it was before this block').waitFor();
    await author.region('Problems').getByText('None').waitFor();
    expect(await author.button('Next problem').count()).toBe(0);
    await author.key('Escape');
    await author.region('Problems').getByText('No value of the data is named here yet.').waitFor();
    await rows(/^Repeat for each problem$/).waitFor();
  });

  it('adds buttons without a problem, the text of the first one to be written', async () => {
    await begin(paragraph('First'));
    await author.button('Add block /').click();
    await author.choose('Actions');
    await author.region('Button fields').waitFor();
    await author.seesFields();
    await author.key('Control+a');
    await author.type('Approve');
    await author.seesDrawn('Approve');
    await author.region('Problems').getByText('None').waitFor();
  });

  it('wraps a block in a repetition, a condition or a group, and undoes it', async () => {
    await begin(paragraph('Wrapped'));
    for (const [what, title] of [
      ['Repeat for each…', /^Repeat for each/],
      ['If…', /^If/],
      ['Group', /^Group/],
    ] as const) {
      await author.button('Wrap in Section Wrapped').click();
      await author.page
        .getByRole('group', { name: 'Wrap Section Wrapped in' })
        .getByRole('button', { name: what })
        .click();
      await rows(title).waitFor();
      await author.seesFields();
      expect(await rows(title).locator('xpath=ancestor::li[1]').getByText('Wrapped').count()).toBe(1);
      await author.button('Undo').click();
      await rows(title).waitFor({ state: 'hidden' });
      await rows(/^Section Wrapped/).click();
    }
  });

  it('offers the values of the data behind two braces, those of the item first in a repetition', async () => {
    await begin(paragraph('{{service}}'), {
      type: 'directive',
      directive: '#each',
      path: 'changes',
      children: [paragraph('• {{this.title}}')],
    });
    const values = author.page.getByRole('listbox', { name: 'Values of the data' });
    await rows(/^Section {{service/).click();
    await text().press('End');
    await author.type(' by {{se');
    await values.getByRole('option', { name: 'service' }).waitFor();
    await author.key('Enter');
    expect(await text().inputValue()).toBe('{{service}} by {{service}}');
    await rows(/^Section •/).click();
    await text().press('End');
    await author.type(' {{');
    await values.getByRole('option').first().filter({ hasText: 'this.title' }).waitFor();
    await author.key('Escape');
    await values.waitFor({ state: 'hidden' });
  });

  it('formats the marked text by keys and by the bar, and mentions people by name', async () => {
    await begin(paragraph('billing'));
    await rows(/^Section/).click();
    await text().press('ControlOrMeta+a');
    await author.key('Control+b');
    expect(await text().inputValue()).toBe('*billing*');
    await author.key('Control+b');
    await author.button('Quote').click();
    expect(await text().inputValue()).toBe('> billing');
    // Nothing is marked, so the key finds, as it does elsewhere.
    await text().press('End');
    await author.key('Control+k');
    await author.page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await author.key('Escape');
    await author.seesNoDialog();
    await author.seesFocusOn(text());
    await author.page.getByLabel('Emoji').selectOption('rocket');
    await author.button('Mention a person or a channel').click();
    await author.select(author.page.getByLabel('Whom or what'), 'A person');
    await author.fill(author.page.getByRole('combobox', { name: 'Search people' }), 'lovelace');
    await author.page.getByRole('option', { name: 'Ada Lovelace' }).click();
    await author.seesNoDialog();
    expect(await text().inputValue()).toBe('> billing:rocket:<@U0ADA>');
  });

  it('has a row for each button of a block, and leads from problem to problem', async () => {
    const button = { type: 'button', text: { type: 'plain_text', text: 'Approve' } };
    await begin({ type: 'actions', elements: [button] }, paragraph('{{service}}'));
    await rows(/^Actions/).click();
    const actions = author.region('Actions fields');
    await actions.getByLabel('Add to elements').selectOption({ label: 'Date and time' });
    await author.region('Date and time fields').waitFor();
    await rows(/^Date and time/).press('Alt+ArrowUp');
    await rows(/^Button Approve/).click();
    await author.region('Button fields').getByRole('textbox', { name: 'Text', exact: true }).fill('Agree');
    await author.seesDrawn('Agree');
    await author.button('Next problem').click();
    await author.seesFocusOn(rows(/^Section/));
    await author.button('Delete Section {{service}}').click();
    await author.button('Next problem').waitFor({ state: 'hidden' });
  });

  it('takes back what was typed since the last second of quiet, and no more', async () => {
    await begin(paragraph('First'));
    await author.page.clock.install();
    await rows(/^Section/).click();
    await text().press('End');
    await author.type(' one');
    await author.seesDrawn('First one');
    await author.page.clock.fastForward(1_100);
    await author.type(' two');
    await author.seesDrawn('First one two');
    await author.button('Undo').click();
    await author.seesDrawn('First one');
    expect(await text().inputValue()).toBe('First one');
  });

  it('begins a new step of undo when the view changes', async () => {
    await begin(paragraph('First'));
    const json = author.page.getByRole('textbox', { name: 'Template as JSON' });
    const typeIntoName = async (word: string): Promise<void> => {
      await author.page.getByRole('tab', { name: 'JSON' }).click();
      await json.getByText('"Outlined', { exact: false }).click();
      await author.key('End');
      await author.key('ArrowLeft');
      await author.key('ArrowLeft');
      await author.type(word);
      await author.page.getByRole('tab', { name: 'Outline' }).click();
    };
    const name = author.page.getByRole('textbox', { name: 'Template name' });
    await typeIntoName(' one');
    await typeIntoName(' two');
    expect(await name.inputValue()).toBe('Outlined one two');
    await author.button('Undo').click();
    expect(await name.inputValue()).toBe('Outlined one');
  });

  it('shows the texts of all languages, what each lacks, and the message in each', async () => {
    const translations = { en: { title: 'Hello', end: 'Bye' }, de: { title: 'Hallo' } };
    await begin(paragraph('{{@t.title}} {{@t.end}}'), directive('#translations', { translations }));
    await author.page.getByLabel('Language of the preview').selectOption('de');
    await author.seesDrawn('Hallo Bye');
    await author.button('Languages').click();
    const dialog = author.page.getByRole('dialog', { name: 'Languages' });
    const head = (name: string) => dialog.getByRole('columnheader', { name, exact: true });
    await head('de 1 of 2').waitFor();
    await dialog.getByRole('textbox', { name: 'end in de' }).fill('Tschüs');
    await head('de 2 of 2').waitFor();
    const saved = author.page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export CSV' }).click();
    const csv = await readFile(await (await saved).path(), 'utf8');
    expect(csv).toMatch(/,end,,Bye,Tschüs\r\n/);
    const take = (text: string) =>
      dialog
        .getByLabel('Table of texts')
        .setInputFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await take(csv.replace('Bye', '"Bye'));
    await dialog.getByRole('alert').getByText('texts.csv, line 3: ').waitFor();
    await take(csv.replace('Tschüs', 'Servus'));
    await dialog.getByRole('status').getByText('texts.csv').waitFor();
    const { width = 0, height = 0 } = author.page.viewportSize() ?? {};
    await author.page.setViewportSize({ width: 360, height: 740 });
    const overflow = await dialog.evaluate((it) => it.scrollWidth - it.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await author.page.setViewportSize({ width, height });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await author.seesDrawn('Hallo Servus');
  });
});
