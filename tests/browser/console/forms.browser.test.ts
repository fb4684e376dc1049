import { describe, expect, it } from '@jest/globals';
import {
  cancelScheduledMessage,
  createDestination,
  createQueue,
  createScheduledMessage,
  getQueue,
  getScheduledMessage,
  listSampleData,
  updateQueue,
  updateScheduledMessage,
} from '@stanza/contracts';
import type { Locator } from 'playwright-core';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { openConsoleBrowser } from './console-world.ts';
import { waysInto } from './ways-into.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];

describe('a form of the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  const { addressOf, openAs } = waysInto(shared);

  it('takes away from a queue what its form leaves out', async () => {
    const { api } = shared().console;
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Digest' });
    const { id: destination_id } = await api.ok(createDestination, {
      body: { name: 'Tickets', url: 'https://tickets.example.com/hooks' },
    });
    const rule = { mode: 'rolling_window' as const, window_seconds: 60, max_window_seconds: 120 };
    const { id } = await api.ok(createQueue, {
      body: { name: 'Deploys', template_id, destination_id, ...rule },
    });
    const { opened, page } = await openAs(`queues/${id}`);
    // The destination that the queue has stays, also where the list of them is not there.
    await page.route('**/v1/destinations?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('At the latest, seconds').fill('');
    await form.getByLabel('Template', { exact: true }).selectOption('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    const { template_id: template, max_window_seconds } = await api.ok(getQueue, { params: { id } });
    expect({ template, max_window_seconds }).toEqual({ template: null, max_window_seconds: 600 });
    await opened.close();
  });

  it('changes nothing of a queue but what its form has changed', async () => {
    const { api } = shared().console;
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Orders of a day' });
    const { id } = await api.ok(createQueue, {
      body: { name: 'Orders', template_id, channel_id: 'C1000', mode: 'fixed_volume', threshold: 5 },
    });
    const { opened, page } = await openAs(`queues/${id}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('Orders of today');
    await api.ok(updateQueue, { params: { id }, body: { threshold: 9 } });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    const { name, threshold } = await api.ok(getQueue, { params: { id } });
    expect({ name, threshold }).toEqual({ name: 'Orders of today', threshold: 9 });
    await opened.close();
  });

  it('changes nothing of a schedule but what its form has changed', async () => {
    const { api } = shared().console;
    const greeting = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];
    const { id: template_id } = await liveTemplate(api, greeting, { name: 'Greeting' });
    const { id } = await api.ok(createScheduledMessage, {
      body: { template_id, channel_id: 'C0DEPLOYS', cron: '0 9 * * *', data: { name: 'Ada' } },
    });
    const { opened, page } = await openAs(`schedules/${id}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('At', { exact: true }).fill('10:00');
    await api.ok(updateScheduledMessage, { params: { id }, body: { data: { name: 'Grace' } } });
    await page.waitForResponse(
      async (answer) => answer.url().endsWith(id) && (await answer.text()).includes('Grace'),
    );
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'hidden' });
    const { cron, data } = await api.ok(getScheduledMessage, { params: { id } });
    expect({ cron, data }).toEqual({ cron: '0 10 * * *', data: { name: 'Grace' } });
    await opened.close();
  });

  it('A form of a schedule that was cancelled elsewhere stays, and the refusal of a button that went is told', async () => {
    const { api } = shared().console;
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Cancelled elsewhere' });
    const body = { template_id, channel_id: 'C0DEPLOYS', data: {}, cron: '0 9 * * *', timezone: 'UTC' };
    const begin = async () => {
      const { id } = await api.ok(createScheduledMessage, { body });
      const { opened, page } = await openAs(`schedules/${id}`);
      await page.getByRole('button', { name: 'Edit…' }).waitFor();
      const cancel = () => api.ok(cancelScheduledMessage, { params: { id } });
      return { opened, page, cancel, pause: page.getByRole('button', { name: 'Pause' }) };
    };
    const written = await begin();
    await written.page.getByRole('button', { name: 'Edit…' }).click();
    await written.cancel();
    await written.pause.waitFor({ state: 'detached' });
    await written.page.getByRole('dialog', { name: 'Edit schedule' }).waitFor();
    await written.opened.close();

    const paused = await begin();
    await paused.page.route('**/pause', async (route) => {
      await paused.cancel();
      await route.continue();
    });
    await paused.pause.click();
    await paused.page.getByRole('status').getByText('It was cancelled').waitFor();
    expect(await paused.pause.count()).toBe(0);
    await paused.opened.close();
  });

  it('works on a page that is served without encryption', async () => {
    const { api, id: organization } = shared().console;
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Standup' });
    const { id } = await api.ok(createScheduledMessage, {
      body: { template_id, channel_id: 'C0DEPLOYS', cron: '0 9 * * *', data: {} },
    });
    const { opened, page } = await openAs('templates');
    // What browsers then take from pages.
    await page.addInitScript(`
      Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    `);
    await page.goto(addressOf(`schedules/${id}`));
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('status').getByText('A run to').waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('For programs').click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const name = page.getByLabel('First name');
    await name.fill('');
    await name.press('Control+V');
    expect(await name.inputValue()).toBe(organization);
    await opened.close();
  });

  it('A form makes one key where its button is pressed again before anything else happens', async () => {
    const { opened, page } = await openAs('keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Pressed twice');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.url());
    });
    // What the page does by the second press is done before the browser hears of anything else.
    await page.evaluate(`(async () => {
      const button = document.querySelector('dialog button[type=submit]');
      button.click();
      for (let turn = 0; turn < 100; turn += 1) await undefined;
      button.click();
    })()`);
    await page.getByRole('dialog', { name: 'The key, shown once' }).waitFor();
    expect(asked).toHaveLength(1);
    await opened.close();
  });

  it('A form makes a modal whose name has an emoji where its title ends', async () => {
    const { opened, page } = await openAs('modals');
    await page.getByRole('button', { name: 'New modal' }).first().click();
    const form = page.getByRole('dialog', { name: 'New modal' });
    await form.getByLabel('Name', { exact: true }).fill('What we have for lunch \u{1f35c} today');
    await form.getByRole('button', { name: 'Create modal' }).click();
    const title = page.getByLabel('Title', { exact: true });
    expect(await title.inputValue()).toBe('What we have for lunch ');
    await opened.close();
  });

  it('A form stays as it is when its data are saved under a name', async () => {
    const { api } = shared().console;
    const greeting = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];
    const { id: template_id } = await liveTemplate(api, greeting, { name: 'Welcome' });
    const { opened, page } = await openAs('schedules');
    await page.getByRole('button', { name: 'New schedule' }).first().click();
    const form = page.getByRole('dialog', { name: 'New schedule' });
    await form.getByLabel('Template', { exact: true }).selectOption(template_id);
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
    for (const [called, save] of [
      ['By its button', () => form.getByRole('button', { name: 'Save', exact: true }).click()],
      ['By a key', () => page.keyboard.press('Enter')],
    ] as const) {
      await form.getByRole('button', { name: 'Save data' }).click();
      await form.getByLabel('Name of the data').fill(called);
      await save();
      await form.getByRole('option', { name: called }).waitFor({ state: 'attached' });
    }
    expect(await form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Ada');
    const { data } = await api.ok(listSampleData, { query: { template_id } });
    expect(data.map(({ name }) => name).toSorted()).toEqual(['By a key', 'By its button']);
    // A name that is taken is said before its data are overwritten.
    await form.getByRole('button', { name: 'Save data' }).click();
    await form.getByLabel('Name of the data').fill('By a key ');
    await form.getByText('Data is saved under this name.').waitFor();
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace');
    await form.getByRole('button', { name: 'Replace', exact: true }).click();
    // What it did is said inside of it: the rest of the page can be neither read nor pressed.
    await form.getByRole('status').getByText('The data is saved as “By a key”.').waitFor();
    // It stands over no button of the form.
    const top = async (it: Locator) => (await it.boundingBox())?.y ?? Number.NaN;
    const end = await top(form.getByRole('button', { name: 'Schedule', exact: true }));
    expect((await top(form.getByRole('button', { name: 'Hide' }))) + 60).toBeLessThan(end);
    await form.getByRole('button', { name: 'Hide' }).press('Enter');
    await form.getByText('The data is saved as “By a key”.').waitFor({ state: 'hidden' });
    await page.locator('dialog:focus').waitFor();
    const { data: after } = await api.ok(listSampleData, { query: { template_id } });
    expect(after).toHaveLength(2);
    await opened.close();
  });

  it('A form takes the address of a person letter by letter where the workspace cannot be searched', async () => {
    const { api } = shared().console;
    const { id } = await liveTemplate(api, blocks, { name: 'Hello' });
    const { opened, page } = await openAs(`templates/${id}`);
    const answer = {
      status: 502,
      json: { code: 'chat_unreachable', message: 'The workspace does not answer.' },
    };
    await page.route('**/v1/chat-connection/people?*', (route) => route.fulfill(answer));
    await page.getByRole('button', { name: 'Send…', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Send Hello' });
    await form.getByLabel('To', { exact: true }).selectOption('person');
    const address = form.getByLabel('Address or id of the person');
    await address.pressSequentially('ada@example.com');
    expect(await address.inputValue()).toBe('ada@example.com');
    await form.getByRole('button', { name: 'Send…', exact: true }).click();
    await page.getByRole('dialog', { name: 'Send to ada@example.com?' }).waitFor();
    await opened.close();
  });
});
