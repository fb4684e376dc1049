import { beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, createTemplate, deleteQueue } from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { waitFor } from '../../kit/wait.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

const paragraph = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** Whether nothing but its own label covers what has the focus. */
const isFocusInSight = `(() => {
  const it = document.activeElement;
  const { left, top, width, height } = it.getBoundingClientRect();
  return [[0.5, 0.5], [0.1, 0.5], [0.5, 0.2], [0.5, 0.8]].some(([x, y]) => {
    const seen = document.elementFromPoint(left + width * x, top + height * y);
    return seen !== null && (it.contains(seen) || [...(it.labels ?? [])].some((label) => label.contains(seen)));
  });
})()`;

const focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent";

/** Where the focus is on the page: in the screen itself, or on nothing. */
const place = "document.activeElement === document.body ? 'nothing' : document.activeElement.id";

describe('what a person reaches in the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  let author: Author;

  const inside = (path: string): string =>
    `${shared().world.api.base}/console/${shared().console.id}/production/${path}`;

  beforeAll(async () => {
    const { browser, world, console, identityUrl } = shared();
    await console.fill();
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    author = new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins));
    await author.opened.signInAsOlivia(inside('templates'));
  });

  /** Opens a new template of these texts. */
  const openTemplate = async (...texts: string[]): Promise<void> => {
    const blocks = texts.map(paragraph);
    const { id } = await shared().console.api.ok(createTemplate, { body: { name: texts.join(), blocks } });
    await author.page.goto(inside(`templates/${id}`));
    await author.page.getByRole('button', { name: /^Add block/ }).waitFor();
  };

  it('A text that is emptied keeps its field, in which the next one is written', async () => {
    await openTemplate('To be replaced', 'Stays');
    const { page } = author;
    await page.getByRole('textbox', { name: 'Text', exact: true }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('Written *instead*');
    await author.region('Preview').getByText('Written instead', { exact: true }).waitFor();
    // Its format is the one before.
    expect(await page.getByLabel('Format of text').inputValue()).toBe('mrkdwn');
  });

  it('A text that is taken away leads the focus to where it is added again', async () => {
    await openTemplate('To be taken away', 'Stays');
    const { page } = author;
    await author.button('Take text away').click();
    await waitFor('the focus', () =>
      page.evaluate<boolean>(
        "document.activeElement.matches('select') && document.activeElement.value === ''",
      ),
    );
    await page.keyboard.press('Control+z');
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
  });

  it('JSON that is broken is said to be so once, and JSON of something else is not called broken', async () => {
    await openTemplate('As JSON');
    const { page } = author;
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('textbox', { name: 'Template as JSON' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"blocks": [}');
    await page.getByText(/^This is not JSON: .*\. The text is kept/).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"blocks": 1}');
    await page.getByText(/^A template is an object .*\. The text is kept/).waitFor();
  });

  it('The focus comes onto the screen that a link in a list leads to, and back', async () => {
    const { page } = author;
    await page.goto(inside('destinations'));
    await page.getByRole('link', { name: 'Ticket system' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ticket system' }).waitFor();
    await waitFor('the focus', async () => (await page.evaluate(place)) === 'content');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe('Destinations');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Destinations' }).waitFor();
    await waitFor('the focus', async () => (await page.evaluate(place)) === 'content');
  });

  it('The focus stays on the screen when “Try again” has done its work', async () => {
    const { page } = author;
    await page.route('**/v1/queues?*', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.goto(inside('queues'));
    await author.button('Try again').focus();
    await page.unroute('**/v1/queues?*');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Deploy digest' }).waitFor();
    expect(await page.evaluate(place)).toBe('content');
    author.opened.forgetFailedRequests();
  });

  it('A window as small as one at 400 % is not scrolled sideways, and no bar hides what has the focus', async () => {
    const { page } = author;
    // 1280 by 1024 pixels at 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    for (const screen of ['messages', 'usage', 'audit-log', 'settings', 'people']) {
      await page.goto(inside(screen));
      await page.locator('#content h1').waitFor();
      expect({ screen, overflows: await author.opened.overflows() }).toEqual({ screen, overflows: false });
    }
    await openTemplate('Hello {{name}}', 'And {{another}}');
    await author.button('Next problem').waitFor();
    await page.locator('#content').focus();
    const hidden: string[] = [];
    for (let press = 0; press < 60 && (await page.evaluate(focused)) !== 'Next problem'; press += 1) {
      await page.keyboard.press('Tab');
      if (!(await page.evaluate(isFocusInSight))) hidden.push(await page.evaluate<string>(focused));
    }
    expect(await page.evaluate(focused)).toBe('Next problem');
    expect(hidden).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('The navigation has an end that is reached in a low window', async () => {
    const { page } = author;
    await page.setViewportSize({ width: 1100, height: 420 });
    await page.goto(inside('messages'));
    const last = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' });
    await last.focus();
    expect(await page.evaluate(isFocusInSight)).toBe(true);
    expect(await page.evaluate('window.scrollY')).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('Colours that the browser forces show which view of the editor is chosen', async () => {
    const { page } = author;
    await openTemplate('In few colours');
    await page.emulateMedia({ forcedColors: 'active' });
    const outline = (tab: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('[role="tab"]${tab}')).outlineStyle`);
    expect([await outline('[aria-selected="true"]'), await outline('[aria-selected="false"]')]).toEqual([
      'solid',
      'none',
    ]);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('A page is printed dark on light, also where its screen is dark', async () => {
    const { page } = author;
    await page.goto(inside('templates'));
    const ink = (): Promise<string> => page.evaluate('getComputedStyle(document.body).color');
    await page.emulateMedia({ colorScheme: 'light' });
    const dark = await ink();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ink()).not.toBe(dark);
    await page.emulateMedia({ media: 'print' });
    expect(await ink()).toBe(dark);
    await page.emulateMedia({ media: null, colorScheme: null });
  });

  it('A list says that other rows are on their way, and how many have come', async () => {
    const { page } = author;
    await page.goto(inside('templates'));
    await page.getByRole('table').waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/v1/templates?*', async (route) => {
      await promise;
      await route.continue();
    });
    await page.getByLabel('State').selectOption({ index: 2 });
    await page.locator('[aria-busy="true"] > table').waitFor();
    const said = page.locator('#content > [role="status"]').filter({ hasText: /Loading| of / });
    expect(await said.innerText()).toBe('Loading');
    resolve();
    await waitFor('the count', async () => /^1–\d+ of \d+$/.test(await said.innerText()));
    expect(await page.locator('[aria-busy="true"]').count()).toBe(0);
    await page.unroute('**/v1/templates?*');
  });

  it('A screen whose subject was deleted elsewhere says so once that is refused', async () => {
    const { page } = author;
    const { api } = shared().console;
    const { id: template_id } = await liveTemplate(api, [paragraph('Digest')], { name: 'For a queue' });
    const body = { name: 'Short-lived', template_id, channel_id: 'C0DEPLOYS' };
    const rule = { mode: 'rolling_window' as const, window_seconds: 600 };
    const { id } = await api.ok(createQueue, { body: { ...body, ...rule } });
    await page.goto(inside(`queues/${id}`));
    await author.button('Pause').waitFor();
    await api.ok(deleteQueue, { params: { id } });
    await author.button('Pause').click();
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expect(await author.button('Pause').count()).toBe(0);
    author.opened.forgetFailedRequests();
  });

  it('A page stays as it is where “Find” cannot be loaded, and says so', async () => {
    const { page } = author;
    await openTemplate('Stays on the page');
    await page.route('**/command-palette*', (route) => route.abort());
    await page.keyboard.press('Control+k');
    await page.getByText('Find could not be loaded').waitFor();
    await author.page.getByRole('button', { name: /^Add block/ }).waitFor();
    await page.unroute('**/command-palette*');
    author.opened.forgetFailedRequests();
  });

  it('The page has complained of nothing', () => {
    expect(author.opened.complaints).toEqual({ console: [], foreign: [] });
  });
});
