import { beforeAll, describe, expect, it } from '@jest/globals';
import { getMessage, listMessages, listModals } from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

/** A release manager who cannot program, from the sign-in to a message in its channel. */
describe('the first message of a person who cannot program', () => {
  const shared = sharedByTests(openConsoleBrowser);
  let author: Author;

  beforeAll(async () => {
    const { browser, world, identityUrl } = shared();
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    author = new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins));
  });

  it('has a list, and a button that opens a modal, and is sent in at most 45 interactions', async () => {
    const { world, console } = shared();
    const { page } = author;
    const addBlock = page.getByRole('button', { name: /^Add block/ });
    await page.goto(`${world.api.base}/console/${console.id}/production/templates`);
    await author.click(page.getByRole('link', { name: /sign-in/ }));
    await author.click(page.getByRole('button', { name: /^Continue as Olivia/ }).first());
    await author.beginBlank('Release note');
    await author.fill(
      page.getByRole('textbox', { name: 'Text', exact: true }),
      'Release of {{service}} is out',
    );
    await author.fill(author.field('Service'), 'billing');
    await author.click(addBlock);
    await author.choose('Repeat for each');
    await author.seesFields();
    await author.type('changes');
    await author.click(author.region('Data').getByRole('button', { name: 'Add item to Changes' }));
    await author.seesFocusOn(author.field('Change 1'));
    await author.type('Faster invoices');
    await author.seesDrawn('Faster invoices');
    await author.click(addBlock);
    await author.choose('button');
    const button = author.region('Button fields');
    await author.fill(button.getByRole('textbox', { name: 'Text', exact: true }), 'Ask for a change');
    await author.click(button.getByRole('button', { name: '+ When it is pressed' }));
    await author.seesFocusOn(button.getByLabel('What happens'));
    await author.select(button.getByLabel('Modal', { exact: true }), 'New modal…');
    await author.seesFocusOn(author.dialog().getByRole('textbox', { name: 'Name' }));
    await author.type('Change request');
    await author.key('Enter');
    await author.seesNoDialog();
    await author.region('Problems').getByText('None').waitFor();
    await author.click(author.button('Make live'));
    await author.click(author.dialog().getByRole('button', { name: 'Make live' }));
    await author.click(author.button('Send it…'));
    await author.fill(page.getByRole('combobox', { name: 'Search channels' }), 'depl');
    await author.click(page.getByRole('option', { name: '#deploys' }));
    await author.click(author.dialog().getByRole('button', { name: 'Send…' }));
    await author.click(author.button('Send now'));
    await author.dialog().getByText('It went to #deploys.').waitFor();
    expect(author.interactions).toBeLessThanOrEqual(45);
    const { data } = await console.api.ok(listMessages, { query: {} });
    const message = await console.api.ok(getMessage, { params: { id: data[0]?.id ?? '' } });
    expect(message).toMatchObject({ status: 'sent', version_number: 2, permalink: expect.any(String) });
    const modals = await console.api.ok(listModals, { query: {} });
    expect(modals.data).toMatchObject([{ name: 'Change request', current_version_id: expect.any(String) }]);
    expect(author.opened.complaints).toEqual({ console: [], foreign: [] });
  });
});
