import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { listMessages } from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { Author } from './author.ts';
import { ConsolePage, type Looks } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

const wide: Looks = { width: 1440, colorScheme: 'light' };
const otherLooks: readonly Looks[] = [
  { width: 768, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
];

describe('sending from the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  let author: Author;
  let place: string;
  let templateId: string;

  beforeAll(async () => {
    const { browser, world, console, identityUrl } = shared();
    place = `${world.api.base}/console/${console.id}/production`;
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '{{service}} is released' } }];
    ({ id: templateId } = await liveTemplate(console.api, blocks, { name: 'Release note' }));
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    author = new Author(await ConsolePage.open(browser, wide, origins));
    await author.opened.signInAsOlivia(`${place}/templates/${templateId}`);
  });

  const expectClean = async (where: string): Promise<void> => {
    await author.opened.keepPicture(where);
    for (const looks of otherLooks) {
      await author.opened.look(looks);
      await author.opened.keepPicture(`${where} ${looks.width}`);
      expect({ where, ...looks, overflows: await author.opened.overflows() }).toEqual({
        where,
        ...looks,
        overflows: false,
      });
    }
    await author.opened.look(wide);
    expect({ where, barriers: await author.opened.barriers(), ...author.opened.complaints }).toEqual({
      where,
      barriers: [],
      console: [],
      foreign: [],
    });
  };
  /** The newest message of the log. */
  const newest = async () => (await shared().console.api.ok(listMessages, { query: { limit: '1' } })).data[0];
  const fillIn = async (service: string): Promise<void> => {
    await author.fill(
      author.dialog().getByRole('region', { name: 'Data' }).getByRole('textbox', { name: 'Service' }),
      service,
    );
    await author
      .dialog()
      .getByRole('region', { name: 'The message' })
      .getByText(`${service} is released`)
      .waitFor();
  };

  it('finds a channel by its name, draws the message, and says who sees it and what it costs', async () => {
    await author.click(author.button('Send…').first());
    await author.fill(author.page.getByRole('combobox', { name: 'Search channels' }), 'depl');
    await author.click(author.page.getByRole('option', { name: '#deploys' }));
    await author.dialog().getByText('To #deploys').waitFor();
    // A message with holes goes out only where that was agreed to.
    const go = author.dialog().getByRole('button', { name: 'Send…' });
    const agreement = author.dialog().getByRole('checkbox', { name: 'Go on although values are missing' });
    await agreement.waitFor();
    expect(await go.isEnabled()).toBe(false);
    await agreement.check();
    await author.click(go);
    await author.dialog().getByText('Everybody in #deploys sees it.').waitFor();
    await author.click(author.button('Back'));
    await fillIn('billing');
    await agreement.waitFor({ state: 'hidden' });
    // Values that only try a template are not offered where they would be sent.
    expect(await author.dialog().getByRole('button', { name: 'Longest text' }).count()).toBe(0);
    await expectClean('Send');
    expect(await newest()).toBeUndefined();
    await author.click(author.dialog().getByRole('button', { name: 'Send…' }));
    await author.dialog().getByText('Everybody in #deploys sees it.').waitFor();
    await author
      .dialog()
      .getByText(/^It costs one credit; [\d,]+ can be spent/)
      .waitFor();
    await expectClean('Send sure');
    await author.click(author.button('Send now'));
    await author.dialog().getByText('It went to #deploys.').waitFor();
    expect(await newest()).toMatchObject({
      template_id: templateId,
      status: 'sent',
      test: false,
      destination: { channel_id: 'C0DEPLOYS' },
    });
  });

  it('draws the sent message in the log, and updates it with what it was and what it will be', async () => {
    await author.click(author.dialog().getByRole('link', { name: 'See it in the log' }));
    await author.region('The message').getByText('billing is released').waitFor();
    await author.page.getByText('To #deploys').waitFor();
    await expectClean('One message');
    const chat = author.page.context().waitForEvent('page');
    await author.click(author.page.getByRole('link', { name: 'Open in the chat' }));
    const opened = await chat;
    await opened.getByRole('heading', { name: '#deploys' }).waitFor();
    await opened.close();
    await author.click(author.button('Update…'));
    await author.dialog().getByRole('region', { name: 'Before' }).getByText('billing is released').waitFor();
    await author.fill(author.dialog().getByRole('textbox', { name: 'Service' }), 'checkout');
    await author.dialog().getByRole('region', { name: 'After' }).getByText('checkout is released').waitFor();
    await expectClean('Update');
    await author.click(author.button('Update now'));
    await author.page.getByText('The message is updated: the channel shows revision 2.').waitFor();
    await author.seesFocusOn(author.button('Update…'));
    await author.region('The message').getByText('checkout is released').waitFor();
    await author.region('Revisions').getByRole('cell', { name: 'you' }).first().waitFor();
    expect(await newest()).toMatchObject({ status: 'sent', revision: 2 });
  });

  it('sends again from the log, to another recipient when one is chosen', async () => {
    await author.click(author.button('Send again…'));
    await author.dialog().getByText('To #deploys').waitFor();
    await author.click(author.button('Change recipient'));
    await author.seesFocusOn(author.page.getByRole('combobox', { name: 'Search channels' }));
    expect(await author.dialog().getByRole('button', { name: 'Send…' }).isDisabled()).toBe(true);
    await author.select(author.dialog().getByLabel('To', { exact: true }), 'A person');
    await author.fill(author.page.getByRole('combobox', { name: 'Search people' }), 'lovelace');
    await author.page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    await author.key('Enter');
    await fillIn('search');
    await expectClean('Send again');
    await author.click(author.dialog().getByRole('button', { name: 'Send…' }));
    await author.dialog().getByText('Ada Lovelace sees it, as a direct message.').waitFor();
    await author.click(author.button('Send now'));
    await author.dialog().getByText('It went to Ada Lovelace.').waitFor();
    expect(await newest()).toMatchObject({ status: 'sent', destination: { recipient_chat_id: 'U0ADA' } });
  });

  it('deletes a message after a question that says who no longer sees it', async () => {
    await author.click(author.dialog().getByRole('link', { name: 'See it in the log' }));
    await author.click(author.button('Delete…'));
    await author.dialog().getByRole('heading', { name: 'Delete the message in Ada Lovelace?' }).waitFor();
    await author.click(author.button('Delete message'));
    await author.page.getByText('The message is deleted.').waitFor();
    await author.button('Delete…').waitFor({ state: 'hidden' });
    expect(await newest()).toMatchObject({ status: 'deleted' });
  });

  it('says why a message was refused, and has its data when it is sent again', async () => {
    const { page } = author;
    await author.goTo('Templates');
    await author.click(page.getByRole('link', { name: 'Release note' }));
    await author.click(author.button('Send…').first());
    await author.fill(page.getByRole('combobox', { name: 'Search channels' }), 'secret');
    const secret = page.getByRole('option', { name: '#secret' });
    await secret.getByText('the app is not in it').waitFor();
    await author.click(secret);
    await fillIn('payments');
    await author.click(author.dialog().getByRole('button', { name: 'Send…' }));
    await author
      .dialog()
      .getByText('if a message is refused, a member of the channel adds the app there')
      .waitFor();
    await author.click(author.button('Send now'));
    await author
      .dialog()
      .getByText(/The app is not in the channel; a member of the channel adds it there with \/invite\./)
      .waitFor();
    await author.seesFocusOn(author.button('Send now'));
    author.opened.forgetFailedRequests();
    await expectClean('Send refused');
    // What was wrong the last time is not said of the next one.
    await author.click(author.button('Back'));
    await author.click(author.dialog().getByRole('button', { name: 'Send…' }));
    await author.button('Send now').waitFor();
    expect(await author.dialog().getByRole('alert').count()).toBe(0);
    await author.key('Escape');
    await author.click(author.button('Discard'));
    await author.seesFocusOn(author.button('Send…'));
    await author.goTo('Messages');
    const failed = page
      .getByRole('table', { name: 'Messages' })
      .getByRole('row')
      .filter({ hasText: 'failed' });
    await author.click(failed.getByRole('link', { name: 'Release note' }));
    await author.region('The message').getByText('payments is released').waitFor();
    await author.click(author.button('Send again…'));
    await author
      .dialog()
      .getByRole('region', { name: 'The message' })
      .getByText('payments is released')
      .waitFor();
    await author.key('Escape');
  });

  it('searches on where a search has looked at as many messages as it may, and goes back', async () => {
    const { page } = author;
    const isFirst = (url: URL) => url.pathname === '/v1/messages' && !url.searchParams.has('cursor');
    await author.goTo('Messages');
    const rows = page.getByRole('table', { name: 'Messages' }).getByRole('row');
    await rows.filter({ hasText: 'Ada Lovelace' }).waitFor();
    await page.route(isFirst, async (route) => {
      const page = { data: [], pagination: { offset: 0, limit: 20, total: 0 } };
      const next = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
      await route.fulfill({ json: { ...page, next_cursor: next, next_before: next } });
    });
    await author.fill(page.getByLabel('Channel or person'), '#deploys');
    await page.getByText('No message matches so far').waitFor();
    await author.click(author.button('Search on'));
    await rows.filter({ hasText: '#deploys' }).waitFor();
    await expectClean('Messages searched on');
    await author.click(author.button('Back to the start'));
    await page.getByText('No message matches so far').waitFor();
    await page.unroute(isFirst);
    await rows.filter({ hasText: '#deploys' }).waitFor();
  });

  it('finds messages by the name of their channel, and tells who did what to which', async () => {
    const { page } = author;
    await author.goTo('Messages');
    const rows = page.getByRole('table', { name: 'Messages' }).getByRole('row');
    await rows.filter({ hasText: 'Ada Lovelace' }).waitFor();
    await author.fill(page.getByLabel('Channel or person'), '#deploys');
    await rows.filter({ hasText: 'Ada Lovelace' }).waitFor({ state: 'hidden' });
    await rows.filter({ hasText: '#deploys' }).waitFor();
    await expectClean('Messages by channel');
    await author.fill(page.getByLabel('Channel or person'), '');
    await rows.nth(1).filter({ hasText: '#secret' }).waitFor();
    await author.select(page.getByLabel('Order'), 'The oldest first');
    await rows.nth(1).filter({ hasText: '#deploys' }).waitFor();
    await author.fill(page.getByLabel('Channel or person'), '#deploys');
    await rows.filter({ hasText: 'Ada Lovelace' }).waitFor({ state: 'hidden' });
    const saved = page.waitForEvent('download');
    await author.button('Export as CSV').click();
    const file = await readFile(await (await saved).path(), 'utf8');
    expect(file.split('\r\n').slice(0, -1)).toHaveLength(2);
    expect(file).toContain(',Release note,1,no,#deploys,sent,');
    await author.goTo('Audit log');
    await author.select(page.getByLabel('Action'), 'template: made live');
    await page
      .getByRole('cell', { name: /^the key .+ of / })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'template Release note' }).first().waitFor();
    await expectClean('Audit log by action');
  });
});
