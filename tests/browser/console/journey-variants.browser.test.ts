import { describe, expect, it } from '@jest/globals';
import { getTemplate, replaceTestTargets } from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { Author } from './author.ts';
import { ConsolePage, type Looks } from './console-page.ts';
import { openConsoleBrowser, openConsoleWorld } from './console-world.ts';
import { testJourney } from './journey.ts';
import { KeyboardAuthor } from './keyboard-author.ts';

const wide: Looks = { width: 1440, colorScheme: 'light' };
const narrow: Looks = { width: 360, height: 740, colorScheme: 'dark' };

/** The whole journey in other circumstances takes minutes: `STANZA_JOURNEYS=all` makes each. */
if (process.env.STANZA_JOURNEYS === 'all') {
  testJourney('an author without a mouse', {
    open: openConsoleBrowser,
    looks: wide,
    authorOf: (opened) => new KeyboardAuthor(opened),
  });

  // A page of 1440 by 900 at 200 % has as much room as one of half of it.
  testJourney('an author with dark colours at 200 %', {
    open: openConsoleBrowser,
    looks: { width: 720, height: 450, colorScheme: 'dark' },
  });

  testJourney('an author with a slow processor and a slow network', {
    open: openConsoleBrowser,
    looks: wide,
    prepare: (opened) => opened.slowDown(),
  });
}

describe('the console for those who do not write', () => {
  const shared = sharedByTests(async () => {
    const opened = await openConsoleBrowser();
    await opened.console.fill();
    return opened;
  });
  const openAt = async (organization: string, path: string, looks: Looks): Promise<Author> => {
    const { browser, world, identityUrl } = shared();
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    const author = new Author(await ConsolePage.open(browser, looks, origins));
    await author.opened.signInAsOlivia(`${world.api.base}/console/${organization}/production/${path}`);
    return author;
  };
  const expectClean = async ({ opened }: Author, where: string): Promise<void> => {
    await opened.keepPicture(`Variant ${where}`);
    expect({
      where,
      barriers: await opened.barriers(),
      overflows: await opened.overflows(),
      ...opened.complaints,
    }).toEqual({ where, barriers: [], overflows: false, console: [], foreign: [] });
  };

  it('at 360 px lets somebody read a template, test it, and roll it back', async () => {
    const { console } = shared();
    const { templates: id = '' } = await console.items('Deploy alert');
    const first = await console.changeLive(id);
    await console.api.ok(replaceTestTargets, { body: { targets: [{ channel_id: 'C0DEPLOYS' }] } });
    const author = await openAt(console.id, 'templates', narrow);
    await author.click(author.page.getByRole('link', { name: 'Deploy alert' }));
    await author.seesDrawn('Changed');
    await expectClean(author, 'narrow editor');
    await author.click(author.button('Test send'));
    await author.click(author.button('Send'));
    await author.dialog().getByRole('link', { name: 'See it in the log' }).waitFor();
    await expectClean(author, 'narrow test');
    await author.click(author.button('Done'));
    await author.click(author.button('History'));
    await author.click(
      author.page.getByRole('listitem', { name: 'Version 1' }).getByRole('button', { name: 'Make live' }),
    );
    await author.dialog().getByRole('list', { name: 'Changes' }).waitFor();
    await expectClean(author, 'narrow rollback');
    await author.click(author.dialog().getByRole('button', { name: 'Make live' }));
    await author.seesNoDialog();
    expect((await console.api.ok(getTemplate, { params: { id } })).current_version_id).toBe(first);
    await author.opened.close();
  });

  it.each(['viewer', 'member'] as const)(
    'tells a %s what is missing where they cannot go on',
    async (role) => {
      const console = await openConsoleWorld(shared().world, role);
      await console.fill();
      const author = await openAt(console.id, 'templates', wide);
      const lacks = (scope: string) => author.page.getByText(scope, { exact: true }).first().waitFor();
      await author.page.getByRole('link', { name: 'Deploy alert' }).waitFor();
      if (role === 'viewer') await lacks('templates:create');
      await expectClean(author, `${role} templates`);
      await author.click(author.page.getByRole('link', { name: 'Deploy alert' }));
      await author.region('Preview').waitFor();
      if (role === 'viewer') {
        await author.page.getByText(/^You can try changes here, but not save them/).waitFor();
        await lacks('templates:update');
        expect(await author.button('Save version').count()).toBe(0);
      } else await author.button('Save version').waitFor();
      await expectClean(author, `${role} editor`);
      await author.goTo('Queues');
      await author.page.getByRole('link', { name: 'Deploy digest' }).waitFor();
      await lacks('queues:write');
      await author.goTo('Destinations');
      await lacks('destinations:write');
      await author.goTo('Keys');
      await author.page
        .getByRole('alert')
        .getByText(/It takes the scope api-keys:read/)
        .waitFor();
      await author.goTo('Settings');
      await lacks('organizations:write');
      expect(author.opened.complaints.foreign).toEqual([]);
      await author.opened.close();
      await console.end();
    },
  );
});
