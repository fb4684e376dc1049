import { describe, expect, it } from '@jest/globals';
import { listMessages, listScheduledMessages, listTemplates } from '@stanza/contracts';
import type { Page, Route } from 'playwright-core';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { openConsoleBrowser } from './console-world.ts';
import { waysInto } from './ways-into.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];

/** Has the server do what it is first asked at an address, and gives the page something else than its answer. */
const loseAnswer = (
  page: Page,
  address: string,
  instead: (route: Route) => Promise<void>,
): Promise<unknown> =>
  page.route(
    address,
    async (route) => {
      await route.fetch();
      await instead(route);
    },
    { times: 1 },
  );

describe('a form of the console whose answer is lost', () => {
  const shared = sharedByTests(openConsoleBrowser);
  const { openAs } = waysInto(shared);

  it('A form makes one schedule when it is sent once more', async () => {
    const { api } = shared().console;
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Standup' });
    const { opened, page } = await openAs('schedules');
    await page.getByRole('button', { name: 'New schedule' }).click();
    const form = page.getByRole('dialog', { name: 'New schedule' });
    await form.getByLabel('Template', { exact: true }).selectOption(template_id);
    await form.getByRole('listbox').getByRole('option').first().click();
    await loseAnswer(page, '**/v1/scheduled-messages', (route) => route.abort());
    const submit = form.getByRole('button', { name: 'Schedule', exact: true });
    await submit.click();
    await form.getByRole('alert').getByText('cannot be reached').waitFor();
    await submit.click();
    await form.waitFor({ state: 'hidden' });
    const { data } = await api.ok(listScheduledMessages, { query: {} });
    expect(data.map((it) => it.template_id)).toEqual([template_id]);
    await opened.close();
  });

  it('A form sends one message, also where the answer is the one of a proxy', async () => {
    const { api } = shared().console;
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Greeting' });
    const { opened, page } = await openAs(`templates/${template_id}`);
    await page.getByRole('button', { name: 'Send…', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Send Greeting' });
    await form.getByRole('listbox').getByRole('option').first().click();
    await form.getByRole('button', { name: 'Send…', exact: true }).click();
    await loseAnswer(page, '**/v1/templates/send', (route) =>
      route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' }),
    );
    const question = page.getByRole('dialog', { name: /^Send to / });
    await question.getByRole('button', { name: 'Send now' }).click();
    await question.getByRole('alert').waitFor();
    // A look back at the form makes it no other message.
    await question.getByRole('button', { name: 'Back', exact: true }).click();
    await form.getByRole('button', { name: 'Send…', exact: true }).click();
    await question.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('dialog', { name: 'The message is sent' }).waitFor();
    const { pagination } = await api.ok(listMessages, { query: { template_id } });
    expect(pagination.total).toBe(1);
    await opened.close();
  });

  it('A form makes no second template for digests where only making it live has failed', async () => {
    const { api } = shared().console;
    const { opened, page } = await openAs('queues');
    await page.getByRole('button', { name: 'New queue' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Template', { exact: true })
      .selectOption('New digest template…');
    const form = page.getByRole('dialog', { name: 'New digest template' });
    await form.getByLabel('Name', { exact: true }).fill('News of the day');
    await page.route('**/activate', (route) => route.abort(), { times: 1 });
    const submit = form.getByRole('button', { name: 'Create and make live' });
    await submit.click();
    await form.getByRole('alert').getByText('cannot be reached').waitFor();
    await submit.click();
    await form.waitFor({ state: 'hidden' });
    const { data } = await api.ok(listTemplates, { query: { q: 'News of the day' } });
    expect(data.map(({ current_version_id }) => current_version_id !== null)).toEqual([true]);
    await opened.close();
  });
});
