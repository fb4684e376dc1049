import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createModal,
  createQueue,
  createTemplate,
  getModal,
  getQueue,
  listMessages,
  listModals,
  listQueues,
  listTemplateProposals,
  listTemplates,
  pushEvents,
  sendTemplate,
} from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** What is done elsewhere by programs, done by a person who cannot write one. */
describe('a person who cannot program', () => {
  const shared = sharedByTests(openConsoleBrowser);
  let author: Author;

  const api = () => shared().console.api;
  const inside = (path: string): string => `/console/${shared().console.id}/production/${path}`;

  beforeAll(async () => {
    const { browser, world, identityUrl } = shared();
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    author = new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins));
    await author.opened.signInAsOlivia(`${world.api.base}${inside('queues')}`);
  });
  const expectClean = async (where: string): Promise<void> => {
    await author.opened.keepPicture(`Without programming ${where}`);
    expect({ where, barriers: await author.opened.barriers(), ...author.opened.complaints }).toEqual({
      where,
      barriers: [],
      console: [],
      foreign: [],
    });
  };

  it('makes a queue with a template for digests on the way, pushes events by a form, and sends them', async () => {
    const { page } = author;
    await liveTemplate(api(), [section('Hello {{name}}')], { name: 'Greeting' });
    await author.button('New queue').click();
    const form = page.getByRole('dialog', { name: 'New queue' });
    await form.getByRole('textbox', { name: 'Name' }).fill('News of the day');
    await author.select(form.getByLabel('Template'), 'Greeting');
    await form.getByText(/does not read the list “events”/).waitFor();
    await author.select(form.getByLabel('Template'), 'New digest template…');
    const begun = page.getByRole('dialog', { name: 'New digest template' });
    await begun.getByRole('textbox', { name: 'Name' }).fill('Orders {{today}}');
    await expectClean('digest template');
    await begun.getByRole('button', { name: 'Create and make live' }).click();
    await begun.waitFor({ state: 'hidden' });
    await form.getByText(/does not read the list “events”/).waitFor({ state: 'hidden' });
    const to = form.getByLabel('To', { exact: true });
    await author.select(to, 'A destination');
    await form.getByRole('combobox', { name: 'Destination' }).waitFor();
    await author.select(to, 'A channel');
    await page.getByRole('combobox', { name: 'Search channels' }).fill('gen');
    await page.getByRole('option', { name: '#general' }).click();
    await form.getByRole('button', { name: 'Create queue' }).click();
    await page.getByRole('link', { name: 'News of the day' }).click();
    await author.button('Push events').click();
    await author.dialog().getByLabel('Go on although values are missing').waitFor();
    expect(await author.dialog().getByRole('button', { name: 'Push', exact: true }).isDisabled()).toBe(true);
    // Lines become events where an event is a single text.
    await author.dialog().getByRole('textbox', { name: 'Title' }).fill('Faster totals\nRefunds');
    for (const key of ['Control+A', 'Control+X', 'Control+V']) await author.key(key);
    await author.dialog().getByRole('textbox', { name: 'Title' }).nth(1).waitFor();
    await author
      .dialog()
      .getByRole('region', { name: 'The digest' })
      .getByText('Orders {{today}}: 2')
      .waitFor();
    await expectClean('push events');
    await author.dialog().getByRole('button', { name: 'Push', exact: true }).click();
    await author.seesNoDialog();
    await author.button('Send now').click();
    const batches = page.getByRole('table', { name: 'Batches' });
    await batches.getByText('delivered').waitFor({ timeout: 60_000 });
    await batches.getByRole('button').first().click();
    await author.dialog().getByRole('region', { name: 'Events' }).getByText('Refunds').waitFor();
    await expectClean('batch');
    const { data } = await api().ok(listQueues, { query: {} });
    expect(await api().ok(getQueue, { params: { id: data[0]?.id ?? '' } })).toMatchObject({
      channel_id: 'C0GENERAL',
    });
    await author.dialog().getByRole('button', { name: 'Close' }).click();
  });

  it('sends the digest of a failed batch to another channel, with its events', async () => {
    const { page } = author;
    const digest = {
      type: 'directive',
      directive: '#each',
      path: 'events',
      as: 'event',
      children: [section('• {{event.title}}')],
    };
    const { id: template_id } = await liveTemplate(api(), [section('{{event_count}} news'), digest]);
    const { id } = await api().ok(createQueue, {
      body: { name: 'Secret news', mode: 'fixed_volume', threshold: 2, template_id, channel_id: 'C0SECRET' },
    });
    const events = [{ title: 'Faster totals' }, { title: 'Refunds' }];
    await api().ok(pushEvents, { params: { id }, body: { events } });
    await author.opened.goInside(inside(`queues/${id}`));
    const batches = page.getByRole('table', { name: 'Batches' });
    await batches.getByText('failed').waitFor({ timeout: 60_000 });
    await batches.getByRole('button').first().click();
    await page.getByText('A retry goes where this batch was to go').waitFor();
    await expectClean('failed batch');
    await author.button('Send elsewhere…').click();
    const send = page.getByRole('dialog', { name: /^Send / });
    await send.getByRole('region', { name: 'The message' }).getByText('2 news').waitFor();
    await send.getByRole('option', { name: '#general' }).click();
    await send.getByRole('button', { name: 'Send…' }).click();
    await author.button('Send now').click();
    await page.getByText('It went to #general.').waitFor();
    await expectClean('batch sent elsewhere');
    const { data } = await api().ok(listMessages, { query: { template_id } });
    expect(data).toMatchObject([
      { status: 'sent', destination: { channel_id: 'C0GENERAL' } },
      { status: 'failed', destination: { channel_id: 'C0SECRET' } },
    ]);
    await author.button('Done').click();
    await author.dialog().getByRole('button', { name: 'Close' }).click();
  });

  it('counts what failed by day, and leads to it', async () => {
    const { page } = author;
    await author.goTo('Messages');
    await page.getByText('Sent and failed by day').click();
    const outcomes = page.getByRole('table', { name: 'Outcomes by day' });
    const today = outcomes.getByRole('row').nth(1);
    await today.getByRole('button').nth(1).waitFor();
    await expectClean('outcomes');
    // The days are compared, so a phone shows them at one glance.
    await author.opened.look({ width: 360, height: 740, colorScheme: 'light' });
    expect((await outcomes.boundingBox())?.height).toBeLessThan(370);
    expect(await author.opened.overflows()).toBe(false);
    await expectClean('outcomes on a phone');
    await author.opened.look({ width: 1440, colorScheme: 'light' });
    await today.getByRole('button').nth(1).click();
    const rows = page.getByRole('table', { name: 'Messages' }).getByRole('row');
    await rows.nth(1).filter({ hasText: 'failed' }).waitFor();
    await rows.filter({ hasText: 'sent' }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
  });

  it('sees who pressed what in which message, and what came of it', async () => {
    const { page } = author;
    const interaction = [{ type: 'update_message', strategy: 'replace_self', blocks: [section('Agreed')] }];
    const plain = (text: string) => ({ type: 'plain_text', text });
    const button = { type: 'button', action_id: 'agree', text: plain('Agree') };
    const question = { type: 'input', label: plain('Why not?'), element: { type: 'plain_text_input' } };
    const modal = { name: 'Doubts', title: 'Doubts', blocks: [question], activate: true };
    const { id: modal_id } = await api().ok(createModal, { body: modal });
    const doubt = { type: 'button', text: plain('Doubt'), interaction: [{ type: 'open_modal', modal_id }] };
    const blocks = [
      section('A plan to agree to'),
      { type: 'actions', elements: [{ ...button, interaction }, doubt] },
    ];
    const { id: template_id } = await liveTemplate(api(), blocks);
    await api().ok(sendTemplate, { body: { template_id, data: {}, channel_id: 'C0DEPLOYS' } });
    const chat = await page.context().newPage();
    await chat.goto(shared().world.sandboxUrl);
    await chat.getByRole('combobox', { name: 'Acting as' }).selectOption('Grace Hopper');
    const message = chat.getByRole('article').filter({ hasText: 'A plan to agree to' });
    await message.getByRole('button', { name: 'Doubt' }).click();
    await chat.getByRole('dialog').getByRole('textbox', { name: 'Why not?' }).fill('Too soon');
    await chat.getByRole('button', { name: 'Submit' }).click();
    await chat.getByRole('dialog').waitFor({ state: 'hidden' });
    await author.goTo('Events');
    const row = page.getByRole('table', { name: 'In messages' }).getByRole('row').nth(1);
    await row.getByText('submitted a form').click();
    await row.getByRole('region', { name: 'What was entered' }).getByText('Why not?').waitFor();
    await row.getByText('Too soon').waitFor();
    await message.getByRole('button', { name: 'Agree' }).click();
    await row.filter({ hasText: 'Grace Hopper' }).filter({ hasText: 'Agree' }).waitFor();
    await row.getByText('update the message done').waitFor();
    await expectClean('events');
    const kind = page.getByRole('combobox', { name: 'Kind' });
    await author.select(kind, 'Submitted forms');
    await row.filter({ hasText: 'submitted a form' }).waitFor();
    await author.select(kind, 'Clicks and choices');
    await row.getByRole('link', { name: 'in #deploys' }).click();
    await author.region('The message').getByText('A click has changed it since.').waitFor();
    await page.getByRole('link', { name: 'What people did with it' }).click();
    await author.button('Of one message: show those of all').click();
    await author.button('Of one message: show those of all').waitFor({ state: 'hidden' });
    await chat.close();
  });

  it('writes a condition in words, also one of several choices', async () => {
    const { page } = author;
    const { id } = await liveTemplate(api(), [section('Hello')], { sample_data: { environment: 'test' } });
    await author.opened.goInside(inside(`templates/${id}`));
    await page.getByRole('button', { name: /^Add block/ }).click();
    await author.choose('If');
    const form = page.getByRole('region', { name: 'If fields' });
    await form.getByRole('textbox', { name: 'Value of the data' }).fill('environment');
    await author.select(form.getByRole('combobox', { name: 'Condition' }), 'is one of');
    const choices = form.getByRole('textbox', { name: 'These, with commas between them' });
    await choices.pressSequentially('production, staging');
    await author.button('If environment is one of production, staging').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = page.getByRole('textbox', { name: 'Template as JSON' });
    await json.getByText('"staging"').waitFor();
    await expectClean('condition');
  });

  it('brings the modal along that a promoted template opens', async () => {
    const { page } = author;
    const preview = shared().world.api.with((await shared().console.previewKey()).key);
    const modal = await preview.ok(createModal, {
      body: {
        name: 'Survey',
        title: 'Survey',
        blocks: [
          {
            type: 'input',
            label: { type: 'plain_text', text: 'How was it?' },
            element: { type: 'plain_text_input' },
          },
        ],
        activate: true,
      },
    });
    const interaction = [{ type: 'open_modal', modal_id: modal.id }];
    const button = { type: 'button', text: { type: 'plain_text', text: 'Answer' }, interaction };
    await liveTemplate(preview, [{ type: 'actions', elements: [button] }], { name: 'Ask how it was' });
    await author.goTo('Templates');
    await author.button('Promote from preview').click();
    await author
      .dialog()
      .getByRole('checkbox', { name: /^Ask how it was/ })
      .check();
    await author.button('See what it would do').click();
    await author.dialog().getByText('must be made first').waitFor();
    expect(await author.button('Promote').isEnabled()).toBe(false);
    await expectClean('must be made first');
    await author.button(`Copy the modal from preview: ${modal.key}`).click();
    await author.dialog().getByText('must be made first').waitFor({ state: 'hidden' });
    await author.button('Promote').click();
    await author.dialog().getByRole('status').getByText('It is copied into production.').waitFor();
    await author.button('Done').click();
    await page.getByRole('link', { name: 'Ask how it was' }).waitFor();
    const { data } = await api().ok(listModals, { query: { q: 'Survey' } });
    const copy = await api().ok(getModal, { params: { id: data[0]?.id ?? '' } });
    expect(copy).toMatchObject({ key: modal.key, title: 'Survey', current_version: { version_number: 1 } });
    expect((await api().ok(listTemplates, { query: { q: 'Ask how it was' } })).data).toHaveLength(1);
  });

  it('is told what went live, also when that goes back', async () => {
    const { id } = await liveTemplate(api(), [section('First')]);
    await author.opened.goInside(inside(`templates/${id}`));
    await author.region('Preview').getByText('First').first().click();
    await author.seesFields();
    await author.type(' and more');
    await author.seesKept();
    await author.button('Make live').click();
    await author.dialog().getByRole('button', { name: 'Make live' }).click();
    await author.page.getByRole('status').getByText('Version 2 is live now.', { exact: true }).waitFor();
    await author.button('History').click();
    const version = author.page.getByRole('listitem', { name: 'Version 1' });
    await author.page
      .getByRole('listitem', { name: 'Version 2' })
      .getByText(/, made live .* · you$/)
      .waitFor();
    await version.getByRole('button', { name: 'Make live' }).click();
    await author.dialog().getByRole('button', { name: 'Make live' }).click();
    await author.page
      .getByText(/^Version 1 is live now\. The screen still shows version 2, which is newer\./)
      .waitFor();
    await expectClean('went live');
    await author.button('Hide').click();
    await author.page.getByText('The screen still shows').waitFor({ state: 'hidden' });
  });

  it('proposes a version where the policy asks for another person, which is offered in sight', async () => {
    const { page } = author;
    const { id } = await liveTemplate(api(), [
      section('First'),
      ...Array.from({ length: 20 }, () => section('More')),
    ]);
    await author.goTo('Settings');
    const policy = page.getByRole('combobox', { name: 'Who makes a version live' });
    await author.select(policy, 'Another person than the author');
    await author.dialog().getByText('You cannot take this back.').waitFor();
    await author.dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await policy.inputValue()).toBe('anyone');
    await author.select(policy, 'Another person than the author');
    await expectClean('a door that closes');
    await author.dialog().getByRole('button', { name: 'Ask for another person' }).click();
    await policy.and(page.locator(':disabled')).waitFor();
    await page.getByText(/Nobody in the organization can lift this/).waitFor();
    await author.opened.goInside(inside(`templates/${id}`));
    await author.region('Preview').getByText('First').first().click();
    await author.seesFields();
    await author.type(' and more');
    await author.seesKept();
    await author.button('Propose…').click();
    await author.seesFocusOn(author.dialog().getByLabel('Note'));
    await author.dialog().getByLabel('Note').fill('says more');
    const propose = author.dialog().getByRole('button', { name: 'Propose it' });
    await propose.waitFor();
    const place = await propose.boundingBox();
    expect((place?.y ?? Number.POSITIVE_INFINITY) + (place?.height ?? 0)).toBeLessThanOrEqual(900);
    // Nothing is refused first.
    expect(await author.dialog().getByRole('button', { name: 'Make live' }).count()).toBe(0);
    await expectClean('to propose');
    await propose.click();
    await author
      .dialog()
      .getByText(/^It is proposed/)
      .waitFor();
    expect(await author.dialog().getByRole('button').allInnerTexts()).toEqual(['Close', 'Done']);
    await author.seesFocusOn(author.dialog().getByRole('button', { name: 'Done' }));
    await expectClean('proposed');
    await author.dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByText('Version 2 is proposed by you in the console.').waitFor();
    const { data } = await api().ok(listTemplateProposals, { params: { id }, query: {} });
    expect(data[0]).toMatchObject({ note: 'says more' });
    await author.button('Look at version 2').click();
    await author
      .dialog()
      .getByText(/whoever wrote or proposed a version does not accept it/)
      .waitFor();
    expect(await author.dialog().getByRole('button', { name: 'Accept' }).count()).toBe(0);
  });

  it('proposes what is promoted where the policy asks for another person, and says so up front', async () => {
    const preview = shared().world.api.with((await shared().console.previewKey()).key);
    const blocks = [section('All aboard')];
    const { key } = await preview.ok(createTemplate, { body: { name: 'Release train', blocks } });
    await author.opened.goInside(inside('templates'));
    await author.button('Promote from preview').click();
    const dialog = author.dialog();
    await dialog.getByRole('checkbox', { name: /^Release train/ }).check();
    await dialog.getByRole('checkbox', { name: /^Propose them/ }).check();
    expect(await dialog.getByRole('checkbox', { name: /^Make them live/ }).count()).toBe(0);
    await author.button('See what it would do').click();
    const plan = dialog.getByRole('list', { name: 'What is promoted' });
    await plan.getByText('Release train', { exact: true }).waitFor();
    await plan.getByText(key, { exact: true }).waitFor();
    await expectClean('to promote and propose');
    await author.button('Promote and propose').click();
    await dialog
      .getByRole('status')
      .getByText(/1 version is proposed/)
      .waitFor();
    await author.button('Done').click();
    const { data } = await api().ok(listTemplates, { query: { key } });
    const proposals = await api().ok(listTemplateProposals, { params: { id: data[0]?.id ?? '' }, query: {} });
    expect(proposals.data).toMatchObject([{ status: 'open', version_number: 1 }]);
    // Whoever proposed finds out why it was declined.
    const waiting = author.page.getByRole('table', { name: 'Proposals' });
    await waiting.getByRole('link', { name: 'Release train, version 1' }).click();
    await author.button('Decline…').click();
    await author.page.getByLabel('Reason').fill('Not yet.');
    await author.button('Decline').click();
    await author.seesNoDialog();
    await author.goTo('Templates');
    const declined = author.page.getByRole('table', { name: 'Declined proposals' });
    await declined.getByRole('row', { name: /Release train, version 1.*Not yet\./ }).waitFor();
    await expectClean('declined');
  });
});
