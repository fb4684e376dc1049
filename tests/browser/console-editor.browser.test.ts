import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bindIdentity, createTemplate, getTemplate } from '@stanza/contracts';
import { sandboxIdentity } from '@stanza/local';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { limits } from '@stanza/test-kit/limits';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorld, type World } from '../kit/stack.ts';

const blank = [{ type: 'section', text: { type: 'mrkdwn', text: 'Write your message here.' } }];

describe('the template editor of the console', () => {
  let world: World;
  let browser: Browser;
  let organization: TestOrganization;
  let api: Api;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let email: string;

  beforeAll(async () => {
    browser = await launchChromium();
    world = await openWorld();
    organization = await world.newOrganization({ connected: false });
    ({ email } = await organization.session());
    await organization.call(bindIdentity, { email, issuer: sandboxIdentity.issuer, subject: email });
    api = world.api.with((await organization.key()).key);
    context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
    await signIn(await context.newPage());
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  beforeEach(async () => {
    page = await context.newPage();
    page.setDefaultTimeout(limits.conditionMs);
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    // What the policy of the page forbids is said on the console of the browser.
    page.on('console', (line) => {
      if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== world.api.base) complaints.push(`asks ${origin}`);
    });
  });
  afterEach(async () => {
    await page.close();
  });

  const signIn = async (start: Page): Promise<void> => {
    start.setDefaultTimeout(limits.conditionMs);
    await start.goto(`${world.api.base}/console/`);
    await start.getByRole('link', { name: /sign-in/ }).click();
    await start.getByLabel('Another e-mail address').fill(email);
    await start.getByRole('button', { name: 'Continue', exact: true }).click();
    await start.getByRole('link', { name: 'Templates' }).waitFor();
    await start.close();
  };
  const newTemplate = async (blocks: typeof blank = blank, more: object = {}): Promise<string> => {
    const { id } = await api.ok(createTemplate, { body: { name: 'Deploy alert', blocks, ...more } });
    return id;
  };
  const open = async (id: string): Promise<void> => {
    await page.goto(`${world.api.base}/console/${organization.id}/production/templates/${id}`);
    await rows().first().waitFor();
  };
  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const rows = (): Locator => region('Blocks').getByRole('listitem');
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const add = async (name: string): Promise<void> => {
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search blocks' }).fill(name);
    await page.keyboard.press('Enter');
  };
  it('writes a template by keyboard, with its data and what is wrong with it beside it', async () => {
    await open(await newTemplate());
    await add('Header');
    await page.keyboard.type('Deploy of {{service}}');
    const service = region('Data').getByLabel('Service');
    await service.waitFor();
    expect(await service.getAttribute('aria-required')).toBe('true');
    await service.fill('billing');
    await region('Preview').getByText('Deploy of billing').first().waitFor();

    await button('Save version').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('textbox', { name: 'Template as JSON' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes a number with decimals as it is typed, and no number that would lose digits', async () => {
    const text = '{{amount | currency:"EUR"}} of {{order}}';
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }];
    await open(await newTemplate(blocks, { sample_data: { amount: 5, order: 1 } }));
    const amount = region('Data').getByLabel('Amount');
    await amount.fill('');
    await amount.pressSequentially('-19.05');
    expect(await amount.inputValue()).toBe('-19.05');
    await region('Data').getByLabel('Order').fill('9007199254740993');
    await region('Preview').getByText('-€19.05 of 9007199254740993').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps what is written over a reload, and makes versions live, forwards and back', async () => {
    const id = await newTemplate();
    await open(id);
    await add('Header');
    await page.keyboard.type('Deployed');
    await region('Preview').getByText('Deployed').first().waitFor();
    await page.reload();
    await region('Preview').getByText('Deployed').first().waitFor();
    await button('Save version').click();
    await page.getByLabel('Note').fill('with a header');
    await button('Save').click();
    await page.getByRole('status').getByText('Version 2 is saved. It is not live.').waitFor();
    await button('Make live').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click();
    await page.getByRole('heading', { name: 'Version 2 is live' }).waitFor();
    await button('Done').click();
    await page.getByText('version 2 live').waitFor();
    await button('History').click();
    await page
      .getByRole('listitem', { name: 'Version 1' })
      .getByRole('button', { name: 'Make live' })
      .click();
    await page.getByRole('dialog').getByRole('list', { name: 'Changes' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('version 1 live').first().waitFor();
    expect((await api.ok(getTemplate, { params: { id } })).current_version?.version_number).toBe(1);
    expect(complaints).toEqual([]);
  });
});
