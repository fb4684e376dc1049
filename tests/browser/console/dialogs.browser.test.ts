import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { openConsoleBrowser } from './console-world.ts';
import { waysInto } from './ways-into.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];

describe('a dialog of the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  const { openAs } = waysInto(shared);

  const question = (page: Page) => page.getByRole('dialog', { name: 'Discard what you have entered?' });

  it('asks before Escape or “Close” drops what was typed, and keeps it unless that is wanted', async () => {
    const { opened, page } = await openAs('people');
    const opener = page.getByRole('button', { name: 'Invite a person' });
    await opener.click();
    const form = page.getByRole('dialog', { name: 'Invite a person' });
    const email = form.getByLabel('E-mail address');
    await email.fill('ada@example.com');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => form.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await leave();
      await question(page).waitFor();
      expect(await opened.barriers()).toEqual([]);
      // Whoever presses Escape twice has lost nothing.
      await page.keyboard.press('Escape');
      await question(page).waitFor({ state: 'hidden' });
      expect(await email.inputValue()).toBe('ada@example.com');
    }
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
    await opened.close();
  });

  it('asks nothing where nothing typed would be lost, nor on “Cancel”', async () => {
    const { opened, page } = await openAs('people');
    const opener = page.getByRole('button', { name: 'Invite a person' });
    const form = page.getByRole('dialog');
    const email = form.getByLabel('E-mail address');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      async () => {
        await email.fill('ada@example.com');
        await email.fill('');
        await page.keyboard.press('Escape');
      },
      async () => {
        await email.fill('ada@example.com');
        await form.getByRole('button', { name: 'Cancel' }).click();
      },
    ]) {
      await opener.click();
      await leave();
      await form.waitFor({ state: 'hidden' });
    }
    await opened.close();
  });

  it('A dialog asks before “Back” drops what was typed, and goes back only when that is wanted', async () => {
    const { opened, page } = await openAs('templates');
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const email = page.getByRole('dialog', { name: 'Invite a person' }).getByLabel('E-mail address');
    await email.fill('ada@example.com');
    await page.evaluate('history.back()');
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await page.waitForURL('**/people');
    expect(await email.inputValue()).toBe('ada@example.com');
    await page.evaluate('history.back()');
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL('**/templates');
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(opened.complaints).toEqual({ console: [], foreign: [] });
    await opened.close();
  });

  it('A dialog has the browser ask before a reload drops what was typed', async () => {
    const { opened, page } = await openAs('people');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const email = page.getByRole('dialog').getByLabel('E-mail address');
    await email.fill('ada@example.com');
    const asked = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    const browsers = await asked;
    expect(browsers.type()).toBe('beforeunload');
    await browsers.dismiss();
    expect(await email.inputValue()).toBe('ada@example.com');
    await opened.close();
  });

  it('A dialog asks before a link in it drops what was chosen', async () => {
    const { opened, page } = await openAs('events');
    await page.getByRole('button', { name: 'New subscription' }).first().click();
    const form = page.getByRole('dialog', { name: 'New subscription' });
    await form.getByRole('checkbox').first().click();
    await form.getByRole('link', { name: 'Add the address' }).click();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await form.getByRole('link', { name: 'Add the address' }).click();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL('**/destinations');
    await opened.close();
  });

  it('A dialog does not let “Back” take away a key that is shown once', async () => {
    const { opened, page } = await openAs('templates');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByLabel('Name', { exact: true }).fill('Deploy pipeline');
    await form.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'The key, shown once' });
    await shown.waitFor();
    await page.evaluate('history.back()');
    await page.getByRole('button', { name: 'Stay', exact: true }).click();
    expect(await shown.getByLabel('API key').textContent()).toMatch(/^stz_/);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await shown.waitFor({ state: 'hidden' });
    await page.goBack();
    await page.waitForURL('**/templates');
    await opened.close();
  });

  it('asks in a later step for what was entered in an earlier one', async () => {
    const { id } = await liveTemplate(shared().console.api, blocks, { name: 'Greeting' });
    const { opened, page } = await openAs(`templates/${id}`);
    await page.getByRole('button', { name: 'Send…', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Send Greeting' });
    await form.getByRole('listbox').getByRole('option').first().click();
    await form.getByRole('textbox', { name: 'name' }).fill('Ada');
    await form.getByRole('button', { name: 'Send…', exact: true }).click();
    await page.getByRole('dialog', { name: /^Send to / }).waitFor();
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    expect(await form.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Ada');
    await opened.close();
  });

  it('begins at its title on a phone, whatever is loaded into it', async () => {
    const { opened, page } = await openAs('queues');
    await opened.look({ width: 390, height: 780, colorScheme: 'light' });
    await page.getByRole('button', { name: 'New queue' }).click();
    const form = page.getByRole('dialog', { name: 'New queue' });
    await form.getByRole('listbox').getByRole('option').first().waitFor();
    expect((await form.getByRole('heading', { name: 'New queue' }).boundingBox())?.y).toBeGreaterThan(0);
    await opened.close();
  });

  it('stays open when a choice of files in it is cancelled', async () => {
    const translations = { en: { hello: 'Hello' }, de: { hello: 'Hallo' } };
    const texts = [{ type: 'directive', directive: '#translations', translations }, ...blocks];
    const { id } = await liveTemplate(shared().console.api, texts, { name: 'In languages' });
    const { opened, page } = await openAs(`templates/${id}`);
    await page.getByRole('button', { name: 'Languages' }).click();
    const dialog = page.getByRole('dialog', { name: 'Languages' });
    // No browser of tests shows the choice of files; this is what it reports.
    await dialog.getByLabel('Table of texts').dispatchEvent('cancel', { bubbles: true });
    await dialog.getByRole('button', { name: 'Export CSV' }).click();
    expect(await dialog.isVisible()).toBe(true);
    await opened.close();
  });
});
