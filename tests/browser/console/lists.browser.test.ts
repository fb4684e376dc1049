import { describe, expect, it } from '@jest/globals';
import { createDestination, createModal, createTemplate, sendTemplate } from '@stanza/contracts';
import type { Locator } from 'playwright-core';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';
import { waysInto } from './ways-into.ts';

/** Whether something stands in the window as it is scrolled. */
const isInSight = async (what: Locator): Promise<boolean> => {
  const box = await what.boundingBox();
  const height = what.page().viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
};

describe('lists of the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  const { openAs } = waysInto(shared);

  it('are sorted by a press on the head of a column, the other way by another, and filtered by state', async () => {
    const { browser, world, console, identityUrl } = shared();
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];
    for (const name of ['Bravo', 'Alpha', 'Charlie']) {
      await console.api.ok(createTemplate, { body: { name, blocks } });
      await console.api.ok(createModal, { body: { name, title: name, blocks } });
      await console.api.ok(createDestination, { body: { name, url: 'https://tickets.example.com/hooks' } });
    }
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    const opened = await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins);
    const author = new Author(opened);
    const inside = (screen: string): string => `/console/${console.id}/production/${screen}`;
    await opened.signInAsOlivia(`${world.api.base}${inside('templates')}`);
    for (const screen of ['Templates', 'Modals', 'Destinations']) {
      await author.goTo(screen);
      const table = author.page.getByRole('table', { name: screen });
      const seesNames = async (...names: string[]): Promise<void> => {
        for (const [at, name] of names.entries()) {
          await table
            .getByRole('row')
            .nth(at + 1)
            .getByRole('link', { name })
            .waitFor();
        }
      };
      await seesNames('Charlie', 'Alpha', 'Bravo');
      const head = table.getByRole('columnheader', { name: 'Name' });
      await head.getByRole('button').click();
      await seesNames('Alpha', 'Bravo', 'Charlie');
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      await head.getByRole('button').click();
      await seesNames('Charlie', 'Bravo', 'Alpha');
      await table.getByRole('columnheader', { name: 'Changed' }).getByRole('button').click();
      await seesNames('Charlie', 'Alpha', 'Bravo');
      await opened.look({ width: 360, colorScheme: 'light' });
      await author.select(author.page.getByLabel('Order', { exact: true }), 'Name');
      await seesNames('Alpha', 'Bravo', 'Charlie');
      expect({ barriers: await opened.barriers(), overflows: await opened.overflows() }).toEqual({
        barriers: [],
        overflows: false,
      });
      // The menu opens in sight, however far the page is scrolled, and closes behind what is chosen.
      await table.getByRole('row').last().scrollIntoViewIfNeeded();
      await author.button('Menu').click();
      const entry = author.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen });
      expect(await isInSight(entry)).toBe(true);
      await entry.click();
      await entry.waitFor({ state: 'hidden' });
      await opened.look({ width: 1440, colorScheme: 'light' });
    }
    // Drafts are told from live ones by the console, from all pages of the list.
    await author.goTo('Templates');
    const state = author.page.getByLabel('State', { exact: true });
    await author.select(state, 'live');
    await author.page.getByRole('heading', { name: 'No template matches' }).waitFor();
    await author.select(state, 'draft');
    await author.page.getByRole('link', { name: 'Charlie' }).waitFor();
    expect(opened.complaints).toEqual({ console: [], foreign: [] });
    await opened.close();
  });

  it('whose filters match nothing say so, and offer nothing to begin with', async () => {
    const { browser, world, console, identityUrl } = shared();
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    const opened = await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins);
    const inside = (screen: string): string => `/console/${console.id}/production/${screen}`;
    await opened.signInAsOlivia(`${world.api.base}${inside('keys?status=revoked')}`);
    for (const screen of ['keys?status=revoked', 'queues?on=false', 'schedules?status=completed']) {
      await opened.page.goto(`${world.api.base}${inside(screen)}`);
      await opened.page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    }
    expect(opened.complaints).toEqual({ console: [], foreign: [] });
    await opened.close();
  });

  it('Lists are read again as soon as the network is back', async () => {
    const { opened, page } = await openAs('queues');
    const mode = page.getByLabel('Mode');
    await mode.waitFor();
    await page.context().setOffline(true);
    await mode.selectOption('At a number of events');
    const failed = page.getByText('The server cannot be reached');
    await failed.waitFor();
    await page.context().setOffline(false);
    await failed.waitFor({ state: 'hidden' });
    await opened.close();
  });

  it('Lists take a filter as it is typed: a day digit by digit, and letters into the middle of a text', async () => {
    const { opened, page } = await openAs('messages');
    const day = page.getByLabel('From', { exact: true });
    await day.focus();
    await page.keyboard.type('05112026');
    expect(await day.inputValue()).toMatch(/^2026-/);
    await page.waitForURL('**from=2026-*');
    const target = page.getByLabel('Channel or person');
    await target.fill('dloys');
    await target.press('Home');
    await target.press('ArrowRight');
    await page.keyboard.type('ep');
    expect(await target.inputValue()).toBe('deploys');
    await page.waitForURL('**target=deploys*');
    await opened.close();
  });

  it('Lists name and find a channel that is not among the first hundred of a large workspace', async () => {
    const { console } = shared();
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];
    const { id } = await liveTemplate(console.api, blocks);
    await console.api.ok(sendTemplate, { body: { template_id: id, data: {}, channel_id: 'C0DEPLOYS' } });
    const { opened, page } = await openAs('messages');
    const first = { data: [{ id: 'C0FIRST', name: 'first', is_private: false, is_member: true }] };
    const answer = { json: { ...first, next_cursor: '100', is_complete: true } };
    await page.route('**/v1/chat-connection/channels?limit=100', (route) => route.fulfill(answer));
    await page.reload();
    await page.getByRole('cell', { name: '#deploys' }).first().waitFor();
    await page.getByLabel('Channel or person').fill('#deploys');
    await page.waitForURL('**target=*deploys*');
    await page.getByRole('cell', { name: '#deploys' }).first().waitFor();
    await opened.close();
  });
});
