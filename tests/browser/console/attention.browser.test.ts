import { describe, expect, it } from '@jest/globals';
import {
  createModal,
  createQueue,
  createTemplate,
  listBatches,
  pushEvents,
  sendTemplate,
} from '@stanza/contracts';
import type { Page } from 'playwright-core';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { openConsoleBrowser } from './console-world.ts';
import { waysInto } from './ways-into.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];

/** What the element with the focus says. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.innerText');

describe('a screen of the console that stays open', () => {
  const shared = sharedByTests(openConsoleBrowser);
  const { addressOf, openAs } = waysInto(shared);

  const newModal = (name: string) =>
    shared().console.api.ok(createModal, { body: { name, title: name, blocks } });

  const newTemplate = (name: string) => shared().console.api.ok(createTemplate, { body: { name, blocks } });

  it('says how long ago things were as the time goes by', async () => {
    await newModal('Old');
    const { opened, page } = await openAs('modals');
    await page
      .getByRole('row', { name: /Old.*(seconds? ago|now|minutes? ago)/ })
      .first()
      .waitFor();
    await page.clock.setFixedTime('2040-01-01T00:00:00Z');
    await page
      .getByRole('row', { name: /Old.* \d{4}, / })
      .first()
      .waitFor();
    await opened.close();
  });

  it('leads from a page that its list no longer has to the last one', async () => {
    await newModal('Here');
    const { opened, page } = await openAs('modals?offset=40');
    await page.getByRole('button', { name: 'Go to the last page' }).click();
    await page.getByRole('link', { name: 'Here' }).waitFor();
    await opened.close();
  });

  it('chooses nothing in the palette while letters are still composed', async () => {
    const { opened, page } = await openAs('modals');
    await page.getByRole('button', { name: /^Find/ }).click();
    const search = page.getByRole('combobox', { name: 'Search commands and templates' });
    await search.fill('Queues');
    await page.getByRole('option', { name: /^Queues/ }).waitFor();
    await search.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    expect(await search.isVisible()).toBe(true);
    await search.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
    await opened.close();
  });

  it('shows the batch that its address names, whichever page of batches is shown', async () => {
    const { api } = shared().console;
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Digest of one' });
    const { id } = await api.ok(createQueue, {
      body: {
        name: 'Batches',
        template_id,
        channel_id: 'C0DEPLOYS',
        mode: 'rolling_window',
        window_seconds: 3_600,
      },
    });
    await api.ok(pushEvents, { params: { id }, body: { events: [{ text: 'one' }] } });
    const { data } = await api.ok(listBatches, { params: { id }, query: {} });
    const { opened, page } = await openAs(`queues/${id}?offset=20&batch=${data[0]?.id ?? ''}`);
    await page.getByRole('dialog').getByText('it is not closed yet').waitFor();
    await opened.close();
  });

  it('says no figure that it does not know', async () => {
    const { opened, page } = await openAs('modals');
    await page.route(/\/v1\/usage\/limits/, () => undefined);
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByText('Events today').waitFor();
    expect(await page.getByText(/^0 credits a month|^of 0/).count()).toBe(0);
    await opened.close();
  });

  it('keeps the focus on a policy that is ticked', async () => {
    const { opened, page } = await openAs('settings');
    const guard = page.getByRole('checkbox', { name: /^Making a version live is refused/ });
    await guard.focus();
    await guard.press('Space');
    await page.getByText('The policies are saved.').waitFor();
    expect(await page.evaluate("document.activeElement?.getAttribute('type')")).toBe('checkbox');
    await opened.close();
  });

  it('offers no template in the palette that was found for other letters', async () => {
    await newTemplate('Aardvark');
    await newTemplate('Zebra');
    const { opened, page } = await openAs('modals');
    await page.getByRole('button', { name: /^Find/ }).click();
    const search = page.getByRole('combobox', { name: 'Search commands and templates' });
    await search.fill('aardvark');
    await page.getByRole('option', { name: /^Aardvark/ }).waitFor();
    // The next answer does not come.
    await page.route(/\/v1\/search\/templates/, () => undefined);
    await search.fill('zebra');
    await page.getByRole('status').getByText('Nothing is called that.').waitFor();
    await opened.close();
  });

  it('keeps the focus on a button that has no more to do', async () => {
    for (let at = 0; at < 21; at += 1) await newModal(`Form ${at}`);
    const { opened, page } = await openAs('modals?q=Form');
    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    await next.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).getByText('21–21 of 21').waitFor();
    expect(await next.isDisabled()).toBe(true);
    expect(await focused(page)).toBe('Next');
    await next.press('Enter');
    await page.getByRole('button', { name: 'Previous' }).focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).not.toBe('Next');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    const first = page.getByLabel('First name');
    const saved = page.locator('button[aria-disabled]:not([aria-busy])', { hasText: 'Save your names' });
    await first.fill('Olive');
    await first.press('Enter');
    await saved.waitFor();
    expect(await page.evaluate('document.activeElement.value')).toBe('Olive');
    await first.fill('Olivia');
    const save = page.getByRole('button', { name: 'Save your names' });
    await save.press('Enter');
    await saved.waitFor();
    expect(await focused(page)).toBe('Save your names');
    await opened.close();
  });

  it('waits for the names of channels before it says that none of them has a message', async () => {
    const { opened, page } = await openAs('modals');
    await page.route(/\/channels\?/, () => undefined);
    const named = page.waitForRequest(/\/channels\?/);
    await page.goto(addressOf('messages?target=%23deploys'));
    await named;
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await page.getByRole('heading', { name: 'No message matches' }).count()).toBe(0);
    await opened.close();
  });

  it('says how many groups of a report it leaves out', async () => {
    const { api } = shared().console;
    for (const name of ['Charged', 'Charged too']) {
      const { id: template_id } = await liveTemplate(api, blocks, { name });
      await api.ok(sendTemplate, { body: { template_id, data: {}, channel_id: 'C0DEPLOYS' } });
    }
    const { opened, page } = await openAs('modals');
    await page.route(/\/v1\/usage\?/, (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
    );
    await page.goto(addressOf('usage?by=template'));
    await page.getByText('The first 1 of 2, which have used the most.').waitFor();
    await opened.close();
  });
});
