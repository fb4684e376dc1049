import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  archiveTemplate,
  createTemplate,
  deleteTemplate,
  deleteTemplateDraft,
  getTemplate,
  getTemplateDraft,
  putTemplateDraft,
  updateTemplate,
} from '@stanza/contracts';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { testStack } from '@stanza/test-kit/database';
import type { Browser } from 'playwright-core';
import type { Api } from '../../kit/api.ts';
import { openWorld, type World } from '../../kit/stack.ts';
import { waitFor } from '../../kit/wait.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';

const header = (text: string) => [{ type: 'header', text: { type: 'plain_text', text } }];

describe('what is written in the console', () => {
  let world: World;
  let browser: Browser;
  let console: ConsoleWorld;
  let api: Api;
  let author: Author;
  let id: string;

  beforeAll(async () => {
    browser = await launchChromium();
    world = await openWorld();
    console = await openConsoleWorld(world);
    ({ api } = console);
    ({ id } = await api.ok(createTemplate, { body: { name: 'Deploy alert', blocks: header('Saved') } }));
    const origins = [world.api.base, testStack().identity_url].map((url) => new URL(url).origin);
    author = new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins));
    await author.opened.signInAsOlivia(address());
  });
  afterAll(async () => {
    await browser.close();
    await console.end();
    await world.close();
  });

  const address = (): string => `${world.api.base}/console/${console.id}/production/templates/${id}`;
  const draft = () => api.ok(getTemplateDraft, { params: { id } });
  const begin = async (): Promise<void> => {
    await author.page.goto(address());
    await author
      .region('Blocks')
      .getByRole('button', { name: /^Header/ })
      .click();
  };
  const text = () => author.region('Header fields').getByRole('textbox', { name: 'Text', exact: true });
  const expectClean = async (where: string): Promise<void> => {
    await author.opened.keepPicture(`Draft ${where}`);
    expect({ where, barriers: await author.opened.barriers(), ...author.opened.complaints }).toEqual({
      where,
      barriers: [],
      console: [],
      foreign: [],
    });
  };

  it('is on the server a moment later, and there in another browser', async () => {
    await begin();
    await text().fill('First');
    await author.seesKept();
    expect(await draft()).toMatchObject({ revision: 1, blocks: [{ text: { text: 'First' } }] });
    await author.key('Control+S');
    await author.page.getByRole('dialog', { name: /^Save version/ }).waitFor();
    await author.key('Escape');
    await author.page.evaluate('localStorage.clear()');
    await author.page.reload();
    await author.page.getByText('This is the draft of this template').waitFor();
    await author.seesDrawn('First');
    // Having been opened changes nothing.
    expect(await draft()).toMatchObject({ revision: 1 });
    await expectClean('opened again');
  });

  it('is kept without a network, and sent once there is one', async () => {
    await begin();
    const context = author.page.context();
    await context.setOffline(true);
    await text().fill('Written offline');
    await author.page.getByText('The server does not answer.').waitFor();
    await author.opened.keepPicture('Draft offline');
    await context.setOffline(false);
    await author.seesKept();
    expect(await draft()).toMatchObject({ blocks: [{ text: { text: 'Written offline' } }] });
    author.opened.forgetFailedRequests();
  });

  it('is there after the session has ended in the middle, and the person has signed in again', async () => {
    await begin();
    await author.page.context().clearCookies();
    await text().fill('Written without a session');
    await author.page.getByRole('link', { name: /sign-in/ }).click();
    await author.page
      .getByRole('button', { name: /^Continue as Olivia/ })
      .first()
      .click();
    await author.seesDrawn('Written without a session');
    await author.seesKept();
    author.opened.forgetFailedRequests();
  });

  it('of somebody else comes onto the screen where nothing of one’s own waits, and can be undone', async () => {
    await begin();
    await author.seesKept();
    const { revision } = await draft();
    await api.ok(putTemplateDraft, {
      params: { id },
      body: { blocks: header('Theirs'), expected_revision: revision },
    });
    await author.seesDrawn('Theirs');
    await author.page.getByText(/edits this template too/).waitFor();
    await expectClean('of somebody else');
    await author.button('Undo').click();
    await author.seesDrawn('Written without a session');
  });

  it('is shown beside what somebody else has written at the same time, and nothing is overwritten', async () => {
    await begin();
    await author.seesKept();
    const context = author.page.context();
    await context.setOffline(true);
    await text().fill('Mine');
    await author.page.getByText('The server does not answer.').waitFor();
    await api.ok(putTemplateDraft, { params: { id }, body: { blocks: header('Theirs again') } });
    await context.setOffline(false);
    await author.button('Show both sides').click();
    await author.dialog().getByRole('list', { name: 'Changes' }).waitFor();
    await author.opened.keepPicture('Draft both sides');
    expect(await draft()).toMatchObject({ blocks: [{ text: { text: 'Theirs again' } }] });
    await author.button('Keep mine').click();
    await author.seesKept();
    expect(await draft()).toMatchObject({ blocks: [{ text: { text: 'Mine' } }] });
    await author.button('Undo').click();
    await author.seesDrawn('Theirs again');
    author.opened.forgetFailedRequests();
    await expectClean('kept');
  });

  it('goes away with the draft that somebody else discards', async () => {
    await begin();
    await author.seesKept();
    await api.ok(deleteTemplateDraft, { params: { id }, query: {} });
    await author.seesDrawn('Saved');
    author.opened.forgetFailedRequests();
  });

  it('leaves what somebody else has changed of the template as they made it', async () => {
    await begin();
    await text().fill('Mine alone');
    await author.seesKept();
    await api.ok(updateTemplate, { params: { id }, body: { name: 'Renamed elsewhere' } });
    const renamed = author.page.getByRole('heading', { name: 'Renamed elsewhere' });
    await renamed.waitFor({ state: 'attached' });
    await text().fill('Mine alone, and more');
    await author.seesKept();
    const { blocks, metadata } = await draft();
    expect(blocks).toMatchObject([{ text: { text: 'Mine alone, and more' } }]);
    expect(metadata).toEqual({});
  });

  it('is saved with a setting that the template did not have, and then nothing is left to save', async () => {
    await author.page.goto(address());
    await author.page.getByText('Template settings').click();
    await author.page.getByLabel('Sender name').fill('Deploys');
    await author.seesKept();
    await author.key('Control+S');
    await author.dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await author.page.getByText(/^Version 2 is saved/).waitFor();
    const unsaved = author.page.getByRole('status').getByText(/draft|not saved/);
    await unsaved.waitFor({ state: 'hidden' });
    // What this browser had kept would be on the screen again, and soon on the server.
    await author.page.reload();
    await author.button('Save version').waitFor();
    await unsaved.waitFor({ state: 'hidden' });
    expect(await api.ok(getTemplate, { params: { id } })).toMatchObject({
      user_name: 'Deploys',
      draft: null,
    });
  });

  it('while a version is being saved stays on the screen, and is no part of that version', async () => {
    await begin();
    await text().fill('In the version');
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await author.page.route('**/draft/save', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await author.button('Save version').click();
    const form = author.page.getByRole('dialog', { name: /^Save version/ });
    const asked = author.page.waitForRequest('**/draft/save');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await asked;
    await form.getByRole('button', { name: 'Cancel' }).click();
    await text().fill('Written while it was saved');
    await author.button('Test send').click();
    const since = author.page.getByRole('dialog', { name: 'Test send' });
    await since.waitFor();
    answer();
    await author.page.getByText(/^Version \d+ is saved/).waitFor();
    // The answer closes no other dialog.
    await since.getByRole('button', { name: 'Close' }).click();
    expect(await text().inputValue()).toBe('Written while it was saved');
    await author.page.unroute('**/draft/save');
    await author.page.goto(address());
    await waitFor('the text', async () => (await text().inputValue()) === 'Written while it was saved');
  });

  it('stays on the page while the template is deleted, says so, and is forgotten with it', async () => {
    const keptHere = (): Promise<number> =>
      author.page.evaluate(`Object.keys(localStorage).filter((key) => key.includes('${id}')).length`);
    await begin();
    await text().fill('Written before the end');
    await author.seesKept();
    await api.ok(archiveTemplate, { params: { id } });
    await api.ok(deleteTemplate, { params: { id } });
    await text().fill('Written before the end, and after it');
    await author.page.getByText('This template was deleted.').waitFor();
    expect(await text().inputValue()).toBe('Written before the end, and after it');
    expect(await keptHere()).toBe(1);
    await author.page.reload();
    await author.page.getByRole('heading', { name: 'Not found' }).waitFor();
    await waitFor('the end of what was kept', async () => (await keptHere()) === 0);
    author.opened.forgetFailedRequests();
  });
});
