import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendModalVersion,
  createQueue,
  createScheduledMessage,
  createTemplate,
  getModal,
  getQueue,
  getScheduledMessage,
  getTemplate,
  getTestTargets,
  listModals,
  listScheduledMessages,
  listTemplates,
  updateModal,
} from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** One visit, in which each test begins on the screen that it opens. */
describe('a visit of the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  let author: Author;

  const api = () => shared().console.api;
  const inside = (path: string): string => `/console/${shared().console.id}/production/${path}`;
  const open = async (): Promise<Author> => {
    const { browser, world, identityUrl } = shared();
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    return new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'dark' }, origins));
  };
  const expectClean = async (where: string): Promise<void> => {
    await author.opened.keepPicture(`Walk ${where}`);
    expect({
      where,
      barriers: await author.opened.barriers(),
      overflows: await author.opened.overflows(),
      ...author.opened.complaints,
    }).toEqual({ where, barriers: [], overflows: false, console: [], foreign: [] });
  };

  beforeAll(async () => {
    author = await open();
    await author.opened.signInAsOlivia(`${shared().world.api.base}${inside('modals')}`);
  });

  it('writes a modal, keeps it over a reload, says what others saved since, and makes it live', async () => {
    const { page } = author;
    await author.button('Write the first modal').click();
    await author.dialog().getByRole('textbox', { name: 'Name' }).fill('Refund');
    await author.button('Create modal').click();
    await page.getByRole('heading', { level: 1, name: 'Write Refund' }).waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('Refund an order');
    await page.getByRole('button', { name: /^Add block/ }).click();
    await author.choose('Section');
    await author.type('Order {{order}}');
    await author.field('Order').fill('A-1');
    await author.seesDrawn('Order A-1');
    await author.seesDrawn('Refund an order');
    await expectClean('modal');
    const [modal] = (await api().ok(listModals, { query: {} })).data;
    const params = { id: modal?.id ?? '' };
    await api().ok(updateModal, { params, body: { title: 'Of another', close_label: 'Not now' } });
    await page.reload();
    await author.seesDrawn('Order A-1');
    await api().ok(appendModalVersion, { params, body: { blocks: [section('Of somebody else')] } });
    await author.button('Save version').click();
    await page.getByRole('alert').getByText('Version 2 was saved since you began').waitFor();
    await author.button('Save version').click();
    await page.getByRole('alert').getByText('Title was changed to “Of another” since you began').waitFor();
    await author.button('Save version').click();
    const version = page.getByRole('row', { name: /version 3/ });
    await version.getByText('draft', { exact: true }).waitFor();
    await version.getByRole('button', { name: 'Make live' }).click();
    await author.dialog().getByRole('button', { name: 'Make live' }).click();
    await version.getByText('live', { exact: true }).waitFor();
    expect(await api().ok(getModal, { params })).toMatchObject({
      title: 'Refund an order',
      close_label: 'Not now',
      current_version: {
        version_number: 3,
        sample_data: { order: 'A-1' },
        blocks: [{}, { type: 'section' }],
      },
    });
  });

  it('asks in steps: the view becomes the first, and what is written is kept over a reload', async () => {
    const { page } = author;
    await author.button('Ask in steps…').click();
    await page.getByRole('heading', { level: 1, name: 'Write the steps of Refund' }).waitFor();
    await author.button('Add step').click();
    await author.button('2: Step 2').waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('Are you sure?');
    await author.seesDrawn('Are you sure?');
    await expectClean('modal steps');
    await page.reload();
    await author.seesDrawn('Order A-1');
    await author.button('2: Are you sure?').click();
    await author.seesDrawn('What should we know?');
    await author.button('Move earlier').click();
    await author.button('1: Are you sure?').waitFor();
    await author.button('Save steps').click();
    await author.dialog().getByText('Every click opens them from then on.').waitFor();
    await author.dialog().getByRole('button', { name: 'Save steps' }).click();
    await page.getByRole('combobox', { name: 'Step' }).waitFor();
    const { data } = await api().ok(listModals, { query: {} });
    expect(await api().ok(getModal, { params: { id: data[0]?.id ?? '' } })).toMatchObject({
      is_multi_step: true,
      steps: [
        { title: 'Are you sure?', submit_label: null },
        { title: 'Refund an order', submit_label: 'Next' },
      ],
    });
  });

  it('says before a save of steps that somebody else has saved some since', async () => {
    const { page } = author;
    const { data } = await api().ok(listModals, { query: {} });
    const params = { id: data[0]?.id ?? '' };
    await author.button('Write').click();
    await author.button('2: Refund an order').click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Refund it');
    await author.seesDrawn('Refund it');
    const { steps } = await api().ok(getModal, { params });
    const theirs = (steps ?? []).map((step) => ({ ...step, submit_label: 'Further' }));
    await api().ok(updateModal, { params, body: { steps: theirs } });
    await author.button('Save steps').click();
    const save = author.dialog().getByRole('button', { name: 'Save steps' });
    await save.click();
    await author.dialog().getByText('Somebody else has saved steps of this modal').waitFor();
    const submitLabels = async () =>
      (await api().ok(getModal, { params })).steps?.map(({ submit_label }) => submit_label);
    expect(await submitLabels()).toEqual(['Further', 'Further']);
    await save.click();
    await page.getByRole('combobox', { name: 'Step' }).waitFor();
    expect(await submitLabels()).toEqual([null, 'Next']);
  });

  it('lists a target of test sends, and takes it away', async () => {
    const targets = async () => (await api().ok(getTestTargets, {})).targets;
    await author.goTo('Connections');
    await author.button('Add a target').click();
    await author.seesFocusOn(author.dialog().getByLabel('To', { exact: true }));
    await author.page.getByRole('combobox', { name: 'Search channels' }).fill('depl');
    await author.page.getByRole('option', { name: '#deploys' }).click();
    await author.page.getByLabel('Description').fill('Rehearsals');
    await author.button('Add').click();
    const row = author.page.getByRole('table', { name: 'Targets of test sends' }).getByRole('row');
    await row.filter({ hasText: '#deploys' }).filter({ hasText: 'Rehearsals' }).waitFor();
    expect(await targets()).toEqual([{ channel_id: 'C0DEPLOYS', description: 'Rehearsals' }]);
    await author.button('Remove #deploys').click();
    await author.page.getByRole('heading', { name: 'No target' }).waitFor();
    expect(await targets()).toEqual([]);
  });

  it('edits a schedule, pauses it, runs it now and resumes it', async () => {
    const { page } = author;
    const { id: template_id } = await liveTemplate(api());
    const data = { service: 'api', version: '1.4.2' };
    const timing = { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' };
    const body = { template_id, data, channel_id: 'C0DEPLOYS', ...timing };
    const { id } = await api().ok(createScheduledMessage, { body });
    const read = () => api().ok(getScheduledMessage, { params: { id } });
    await author.opened.goInside(inside(`schedules/${id}`));
    await page.getByText('every weekday at 9:00 in Berlin').waitFor();
    // What it sends, and with which values, is shown to people: not as JSON.
    await author
      .region('The message')
      .getByText(/1\.4\.2/)
      .first()
      .waitFor();
    const values = author.region('Data');
    await values.getByRole('term').filter({ hasText: 'Service' }).waitFor();
    await values.getByRole('definition').filter({ hasText: 'api' }).waitFor();
    expect(await values.innerText()).not.toContain('{');
    await author.button('Edit…').click();
    await author.dialog().getByText('To #deploys').waitFor();
    await author.dialog().getByText('It is sent every weekday at 9:00 in Berlin.').waitFor();
    await author.select(author.dialog().getByLabel('Send it', { exact: true }), 'Every day');
    await author.dialog().getByLabel('At', { exact: true }).fill('08:30');
    await author.dialog().getByText('every day at 8:30 in Berlin').waitFor();
    const zone = author.dialog().getByLabel('Time zone').first();
    await zone.fill('berlin');
    await author.dialog().getByText('Did you mean Europe/Berlin?').waitFor();
    expect(await author.dialog().getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
    await author.button('Take Europe/Berlin').click();
    expect(await zone.inputValue()).toBe('Europe/Berlin');
    await author.dialog().getByRole('textbox', { name: 'Service' }).fill('billing');
    await author
      .dialog()
      .getByRole('region', { name: 'The message' })
      .getByText(/billing/)
      .first()
      .waitFor();
    await expectClean('edit schedule');
    await author.dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await author.seesNoDialog();
    await page.getByText('every day at 8:30 in Berlin').waitFor();
    expect(await read()).toMatchObject({ cron: '30 8 * * *', data: { ...data, service: 'billing' } });
    await author.button('Pause').click();
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    await author.button('Run now').click();
    await author.dialog().getByRole('heading', { name: 'Send this message to #deploys now?' }).waitFor();
    await page.clock.install();
    await author.dialog().getByRole('button', { name: 'Run now' }).click();
    await author.seesNoDialog();
    const said = page.getByRole('status').filter({ hasText: 'A run to #deploys was started' });
    await said.getByRole('link', { name: 'Open the message' }).waitFor({ timeout: 60_000 });
    await page.clock.fastForward(20_000);
    await said.waitFor({ state: 'hidden' });
    const run = page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1);
    await run.getByText('sent').waitFor({ timeout: 60_000 });
    await run.getByRole('cell', { name: 'Run now' }).waitFor();
    await expectClean('paused schedule');
    await author.button('Resume').click();
    await author.button('Pause').waitFor();
    await page.getByRole('listitem').nth(4).waitFor();
    expect(await read()).toMatchObject({ status: 'active', runs: [{ status: 'sent' }] });
  });

  it('schedules a message that says its day, which nobody enters', async () => {
    const blocks = [section('Stand-up of {{schedule.due_at | date:"YYYY"}} for {{team}}')];
    await liveTemplate(api(), blocks, { name: 'Stand-up' });
    await author.page.goto(`${shared().world.api.base}${inside('schedules')}`);
    await author.button('New schedule').click();
    await author.select(author.dialog().getByLabel('Template'), 'Stand-up');
    const fields = author.dialog().getByRole('region', { name: 'Data' }).getByRole('textbox');
    await fields.first().fill('Payments');
    expect(await fields.count()).toBe(1);
    const drawn = author.dialog().getByRole('region', { name: 'The message' });
    await drawn.getByText(`Stand-up of ${new Date().getUTCFullYear()} for Payments`).waitFor();
    await author.dialog().getByRole('combobox', { name: 'Search channels' }).fill('dep');
    await author.page.getByRole('option', { name: '#deploys' }).click();
    await author.dialog().getByRole('button', { name: 'Schedule', exact: true }).click();
    await author.seesNoDialog();
    const { data: schedules } = await api().ok(listScheduledMessages, { query: {} });
    const id = schedules[0]?.id ?? '';
    const { data } = await api().ok(getScheduledMessage, { params: { id } });
    expect(data).toEqual({ team: 'Payments' });
    await author.opened.goInside(inside(`schedules/${id}`));
    await author
      .region('The message')
      .getByText(/^Stand-up of \d{4} for Payments$/)
      .waitFor();
    // Its message is drawn, and updated, from the data of the schedule.
    await author.button('Run now').click();
    await author.dialog().getByRole('button', { name: 'Run now' }).click();
    await author.page.getByRole('link', { name: 'Open the message' }).click();
    const sent = author.region('The message');
    await sent.getByText('Drawn from version 1 with the data that its schedule has now.').waitFor();
    await sent.getByText(/^Stand-up of \d{4} for Payments$/).waitFor();
  });

  it('edits a queue, and offers no flush without an open batch', async () => {
    const { id: template_id } = await liveTemplate(api());
    const rule = { mode: 'rolling_window' as const, window_seconds: 60 };
    const body = { name: 'Deploys', template_id, channel_id: 'C0DEPLOYS', ...rule };
    const { id } = await api().ok(createQueue, { body });
    await author.opened.goInside(inside(`queues/${id}`));
    await author.page.getByRole('heading', { name: 'No batch' }).waitFor();
    expect(await author.button('Send now').count()).toBe(0);
    await author.button('Edit…').click();
    await author.dialog().getByRole('textbox', { name: 'Name' }).fill('Deploys of a week');
    await author.dialog().getByLabel('Seconds of silence').fill('120');
    await author.dialog().getByText('To #deploys', { exact: true }).waitFor();
    await author.button('Change recipient').click();
    await author.page.getByRole('combobox', { name: 'Search channels' }).fill('gen');
    await author.page.getByRole('option', { name: '#general' }).click();
    await expectClean('edit queue');
    await author.dialog().getByRole('button', { name: 'Save' }).click();
    await author.page.getByRole('heading', { level: 1, name: 'Deploys of a week' }).waitFor();
    await author.page.getByRole('status').getByText('The queue is saved.').waitFor();
    expect(await api().ok(getQueue, { params: { id } })).toMatchObject({
      window_seconds: 120,
      template_id,
      channel_id: 'C0GENERAL',
    });
    // What is not touched is not changed.
    await author.button('Edit…').click();
    await author.dialog().getByRole('textbox', { name: 'Name' }).fill('Deploys of a day');
    await author.key('Enter');
    await author.page.getByRole('heading', { level: 1, name: 'Deploys of a day' }).waitFor();
    expect(await api().ok(getQueue, { params: { id } })).toMatchObject({ channel_id: 'C0GENERAL' });
  });

  it('makes a version live that breaks stored data only after a tick', async () => {
    const blocks = [section('{{service}}'), section('Out now')];
    const { id } = await liveTemplate(api(), blocks, { sample_data: { service: 'api' } });
    await api().ok(createScheduledMessage, {
      body: { template_id: id, data: { service: 'api' }, channel_id: 'C0DEPLOYS', cron: '0 9 1 1 *' },
    });
    await author.opened.goInside(inside(`templates/${id}`));
    const text = author.page.getByRole('textbox', { name: 'Text', exact: true }).first();
    await text.fill('{{version | default: ""}}');
    await author.region('Preview').getByText('Out now').first().click();
    await text.and(author.page.locator(':focus')).waitFor();
    await text.fill('{{version | default: ""}}');
    await author.field('Version').fill('1.4.2');
    await author.seesKept();
    await author.button('Save version').click();
    await author.button('Save and make live…').click();
    const tick = author.dialog().getByRole('checkbox', { name: /^Make it live although/ });
    const makeLive = author.dialog().getByRole('button', { name: 'Make live' });
    await tick.waitFor();
    expect(await makeLive.isEnabled()).toBe(false);
    // Two texts lack the same value, which is one problem of the schedule.
    const affected = author.dialog().getByRole('list', { name: 'Stored data' }).getByRole('listitem');
    const said = await affected
      .filter({ hasText: 'The schedule' })
      .first()
      .getByRole('listitem')
      .allInnerTexts();
    expect(said.length).toBeGreaterThan(0);
    expect(said).toEqual([...new Set(said)]);
    await expectClean('tick');
    await tick.check();
    await makeLive.click();
    await author.seesNoDialog();
    await author.page.getByText('version 2 live').waitFor();
    const { current_version } = await api().ok(getTemplate, { params: { id } });
    expect(current_version?.version_number).toBe(2);
  });

  it('leads from a drawn block to its text, also where the message is drawn anew during the press', async () => {
    const { id } = await liveTemplate(api(), [section('First {{one}}'), section('Second {{two}}')]);
    await author.opened.goInside(inside(`templates/${id}`));
    await author.seesDrawn('First');
    // At one go: what arrives meanwhile may draw the message anew between two steps.
    await author.region('Preview').evaluate((preview) => {
      const drawn = preview.querySelector('[data-block-id]');
      const anew = drawn?.cloneNode(true) ?? preview;
      drawn?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
      drawn?.replaceWith(anew);
      anew.dispatchEvent(new Event('pointerup', { bubbles: true }));
    });
    const text = author.page.getByRole('textbox', { name: 'Text', exact: true });
    await author.seesFocusOn(text);
    expect(await text.inputValue()).toBe('First {{one}}');
    await author.region('Preview').getByText('Second').first().click();
    await author.seesFocusOn(text);
    expect(await text.inputValue()).toBe('Second {{two}}');
  });

  it('promotes a template from the other environment, after a look at what that would do', async () => {
    const preview = shared().world.api.with((await shared().console.previewKey()).key);
    await preview.ok(createTemplate, { body: { name: 'Weekly report', blocks: [section('Hello')] } });
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'])
      await preview.ok(createTemplate, { body: { name, blocks: [section('Hello')] } });
    const here = async () => (await api().ok(listTemplates, { query: { q: 'Weekly report' } })).data;
    await author.goTo('Templates');
    // From where the template is, it leads to the environment that gets it.
    await author.button('Promote to preview').click();
    await author.page.getByRole('dialog', { name: 'Promote from production' }).waitFor();
    await author.key('Escape');
    await author.seesNoDialog();
    await author.opened.goInside(inside('templates'));
    await author.button('Promote from preview').click();
    const search = author.dialog().getByLabel('Search templates');
    await author
      .dialog()
      .getByRole('checkbox', { name: /^Eight/ })
      .check();
    await search.fill('weekly');
    await author.dialog().getByText('1 of 9 shown, 1 chosen').waitFor();
    // Escape leaves the search first, and the dialog only then.
    await search.press('Escape');
    await author
      .dialog()
      .getByRole('checkbox', { name: /^Eight/ })
      .uncheck();
    await search.fill('weekly');
    await author
      .dialog()
      .getByRole('checkbox', { name: /^Weekly report/ })
      .check();
    await author.button('See what it would do').click();
    await author.button('Promote').waitFor();
    await expectClean('promote');
    expect(await here()).toEqual([]);
    await author.button('Promote').click();
    await author.dialog().getByRole('status').getByText('It is copied into production.').waitFor();
    await author.button('Done').click();
    await author.page.getByRole('link', { name: 'Weekly report' }).waitFor();
    expect(await here()).toHaveLength(1);
  });

  it('shows what the tier allows, and what of it is used', async () => {
    await author.goTo('Usage');
    const row = author.page.getByRole('table', { name: 'Limits' }).getByRole('row', { name: /^Templates / });
    await row.waitFor();
    const preview = shared().world.api.with((await shared().console.previewKey()).key);
    const lists = await Promise.all([api(), preview].map((one) => one.ok(listTemplates, { query: {} })));
    const count = lists.flatMap(({ data }) => data).length;
    expect(await row.innerText()).toMatch(new RegExp(`^Templates\\s+${count}\\s+5,000$`));
    await expectClean('usage');
  });

  it('leaves the policy of who makes versions live to persons: for a key it is fixed, and says so', async () => {
    const withKey = await open();
    await withKey.opened.signInWithKey(
      `${shared().world.api.base}${inside('settings')}`,
      shared().console.key,
    );
    const policy = withKey.page.getByRole('combobox', { name: 'Who makes a version live' });
    await policy.waitFor();
    expect(await policy.isEnabled()).toBe(false);
    await withKey.page.getByText('Only a person changes this policy.').waitFor();
    expect(await withKey.page.getByRole('checkbox', { name: /stored data would break/ }).isEnabled()).toBe(
      true,
    );
    await withKey.opened.close();
  });
});
