import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  compileTemplate,
  createApiKey,
  createModal,
  createTemplate,
  listModals,
  listTemplates,
  putTemplateDraft,
  revokeApiKey,
  sendTemplate,
} from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

const unknown = '01a21e29-620a-73eb-89fb-ba6b91e8eb06';

/** A button that opens a modal. */
const opening = (modal_id: string) => [
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: 'refund',
        text: { type: 'plain_text', text: 'Refund' },
        interaction: [{ type: 'open_modal', modal_id }],
      },
    ],
  },
];

describe('names in the console, in the place of ids', () => {
  const shared = sharedByTests(openConsoleBrowser);
  let author: Author;
  let templates: string;

  beforeAll(async () => {
    const { browser, world, console, identityUrl } = shared();
    templates = `${world.api.base}/console/${console.id}/production/templates`;
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    author = new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins));
    await author.opened.signInAsOlivia(templates);
  });

  const expectClean = async (where: string): Promise<void> => {
    await author.opened.keepPicture(where);
    expect({ where, barriers: await author.opened.barriers(), ...author.opened.complaints }).toEqual({
      where,
      barriers: [],
      console: [],
      foreign: [],
    });
  };
  /** A button is a row of its own below its block. */
  const choosesButton = () => author.click(author.region('Blocks').getByRole('button', { name: /^Button / }));
  const modal = () => author.region('Button fields').getByRole('combobox', { name: 'Modal', exact: true });
  const seesChosen = (name: string) =>
    modal().locator('option:checked').filter({ hasText: name }).waitFor({ state: 'attached' });

  it('offers modals by name to a button, and makes a new one on the way', async () => {
    const { api } = shared().console;
    const blocks = [
      {
        type: 'input',
        label: { type: 'plain_text', text: 'Why?' },
        element: { type: 'plain_text_input' },
      },
    ];
    const { id } = await api.ok(createModal, { body: { name: 'Refund form', title: 'Refund', blocks } });
    const template = await api.ok(createTemplate, { body: { name: 'Order', blocks: opening(id) } });
    await author.page.goto(`${templates}/${template.id}`);
    await choosesButton();
    await seesChosen('Refund form');
    await author.region('Button fields').getByText('No version of it is live yet').waitFor();
    await expectClean('Names modal');
    await author.select(modal(), 'New modal…');
    await author.fill(author.dialog().getByLabel('Name'), 'Complaint');
    await author.click(author.button('Create modal'));
    await author.seesNoDialog();
    await author.region('Button fields').getByRole('link', { name: 'Open Complaint' }).waitFor();
    const { data } = await api.ok(listModals, { query: { q: 'Complaint' } });
    expect(await modal().inputValue()).toBe(data[0]?.id);
  });

  it('says that a button names a modal that is not there, and why it is not saved', async () => {
    const { api } = shared().console;
    const { id } = await api.ok(createTemplate, { body: { name: 'Order', blocks: [{ type: 'divider' }] } });
    await api.ok(putTemplateDraft, { params: { id }, body: { blocks: opening(unknown) } });
    await author.page.goto(`${templates}/${id}`);
    await author.click(
      author
        .region('Problems')
        .getByRole('button', { name: /The modal that is chosen here is not in this environment/ }),
    );
    await author.seesFocusOn(author.region('Blocks').getByRole('button', { name: /^Button / }));
    await author.region('Button fields').getByText('There is no such modal in this environment').waitFor();
    await author.click(author.button('Save version'));
    await author.click(author.dialog().getByRole('button', { name: 'Save', exact: true }));
    await author.dialog().getByRole('alert').getByText(/modal/).first().waitFor();
    author.opened.forgetFailedRequests();
    await expectClean('Names unknown modal');
  });

  it('names on a modal the templates that open it, which keep it from being deleted', async () => {
    const { api } = shared().console;
    const blocks = [{ type: 'divider' }];
    const body = { name: 'Escalation', title: 'Escalate', blocks, activate: true };
    const made = await api.ok(createModal, { body });
    const opener = await api.ok(createTemplate, { body: { name: 'Outage', blocks: opening(made.id) } });
    const live = { id: opener.id, version_id: opener.version.id };
    await api.ok(activateTemplateVersion, { params: live, body: {} });
    await author.opened.goInside(new URL(`${templates}/../modals/${made.id}`).pathname);
    await author.page.getByRole('definition').getByRole('link', { name: 'Outage' }).waitFor();
    await author.click(author.button('Delete'));
    await author.dialog().getByText('It cannot be deleted while it is opened by').waitFor();
    await expectClean('Opened by');
    await author.click(author.dialog().getByRole('link', { name: 'Outage' }));
    await author.page.getByRole('heading', { name: 'Outage' }).first().waitFor();
  });

  it('shows the key of a new template, which is free, and takes another one', async () => {
    const { api } = shared().console;
    const name = 'データ';
    await api.ok(createTemplate, { body: { name, blocks: [{ type: 'divider' }] } });
    const makes = async (key: string, written?: string): Promise<void> => {
      await author.page.goto(templates);
      await author.click(author.button('New template'));
      await author.click(author.dialog().getByRole('button', { name: 'Blank' }));
      await author.fill(author.dialog().getByLabel('Name'), name);
      const field = author.dialog().getByRole('textbox', { name: 'Key', exact: true });
      await field.and(author.page.locator(`[value="${key}"]`)).waitFor();
      if (written !== undefined) await author.fill(field, written);
      await expectClean('Names new key');
      await author.click(author.button('Create template'));
      await author.region('Blocks').waitFor();
      const { data } = await api.ok(listTemplates, { query: { key: written ?? key } });
      expect(data.map((it) => it.name)).toEqual([name]);
    };
    await makes('template-2');
    await makes('template-3', 'data-alert');
  });

  it('sends a first test to oneself, and leads to where targets are added', async () => {
    const { api } = shared().console;
    const { id } = await api.ok(createTemplate, { body: { name: 'First', blocks: [{ type: 'divider' }] } });
    await author.page.goto(`${templates}/${id}`);
    await author.click(author.button('Test send'));
    await author.dialog().getByRole('link', { name: 'Add a target' }).waitFor();
    await expectClean('Names test send');
    await author.click(author.button('Send'));
    await author.dialog().getByText('It went to Me (olivia@acme-rockets.example)').waitFor();
    await author.click(author.button('Done'));
    await author.click(author.button('Test send'));
    await author.click(author.dialog().getByRole('link', { name: 'Add a target' }));
    await author.button('Add a target').waitFor();
  });

  it('names and offers a modal that a hundred newer ones stand before', async () => {
    const { api } = shared().console;
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];
    const { id } = await api.ok(createModal, { body: { name: 'The oldest', title: 'Hello', blocks } });
    for (let made = 0; made < 100; made += 1) {
      await api.ok(createModal, { body: { name: `Newer ${made}`, title: 'Hello', blocks } });
    }
    const template = await api.ok(createTemplate, { body: { name: 'Order', blocks: opening(id) } });
    await author.page.goto(`${templates}/${template.id}`);
    await choosesButton();
    await seesChosen('The oldest');
    await author.region('Button fields').getByRole('link', { name: 'Open The oldest' }).waitFor();
  });

  it('names the keys and templates of both environments in a report of use, also a key that is revoked', async () => {
    const { console, world } = shared();
    const { api } = console;
    const blocks = [{ type: 'divider' }];
    const { id: template_id } = await liveTemplate(api, blocks, { name: 'Released' });
    const made = await api.ok(createApiKey, { body: { name: 'Old pipeline', scopes: ['messages:create'] } });
    const body = { template_id, data: {}, channel_id: 'C0DEPLOYS' };
    await world.api.with(made.key).ok(sendTemplate, { body });
    await api.ok(revokeApiKey, { params: { id: made.id }, query: {} });
    const preview = world.api.with((await console.previewKey()).key);
    const rehearsed = await liveTemplate(preview, blocks, { name: 'Rehearsed' });
    await preview.ok(compileTemplate, { body: { template_id: rehearsed.id, data: {} } });
    const sees = (name: string) => author.page.getByRole('cell', { name, exact: true }).waitFor();
    await author.page.goto(`${templates}/../usage?by=key`);
    await sees('Old pipeline (revoked)');
    await sees('owner preview');
    await expectClean('Usage by key');
    await author.page.goto(`${templates}/../usage?by=template`);
    await sees('Released');
    await sees('Rehearsed');
  });
});
