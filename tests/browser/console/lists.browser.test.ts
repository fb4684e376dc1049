import { describe, expect, it } from '@jest/globals';
import { createDestination, createModal, createTemplate } from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

describe('lists of the console', () => {
  const shared = sharedByTests(openConsoleBrowser);

  it('are sorted by a press on the head of a column, and again the other way', async () => {
    const { browser, world, console, identityUrl } = shared();
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];
    for (const name of ['Bravo', 'Alpha', 'Charlie']) {
      await console.api.ok(createTemplate, { body: { name, blocks } });
      await console.api.ok(createModal, { body: { name, title: name, blocks } });
      await console.api.ok(createDestination, { body: { name, url: 'https://tickets.example.com/hooks' } });
    }
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    const opened = await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins);
    const author = new Author(opened);
    const inside = (screen: string): string => `/console/${console.id}/production/${screen}`;
    await opened.signInAsOlivia(`${world.api.base}${inside('templates')}`);
    for (const screen of ['Templates', 'Modals', 'Destinations']) {
      await author.goTo(screen);
      const table = author.page.getByRole('table', { name: screen });
      const seesNames = async (...names: string[]): Promise<void> => {
        for (const [at, name] of names.entries()) {
          await table
            .getByRole('row')
            .nth(at + 1)
            .getByRole('link', { name })
            .waitFor();
        }
      };
      await seesNames('Charlie', 'Alpha', 'Bravo');
      const head = table.getByRole('columnheader', { name: 'Name' });
      await head.getByRole('button').click();
      await seesNames('Alpha', 'Bravo', 'Charlie');
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      await head.getByRole('button').click();
      await seesNames('Charlie', 'Bravo', 'Alpha');
      await table.getByRole('columnheader', { name: 'Changed' }).getByRole('button').click();
      await seesNames('Charlie', 'Alpha', 'Bravo');
      await opened.look({ width: 360, colorScheme: 'light' });
      await author.select(author.page.getByLabel('Order', { exact: true }), 'Name');
      await seesNames('Alpha', 'Bravo', 'Charlie');
      expect({ barriers: await opened.barriers(), overflows: await opened.overflows() }).toEqual({
        barriers: [],
        overflows: false,
      });
      await opened.look({ width: 1440, colorScheme: 'light' });
    }
    expect(opened.complaints).toEqual({ console: [], foreign: [] });
    await opened.close();
  });
});
