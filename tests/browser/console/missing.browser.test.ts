import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { sharedByTests } from '../../kit/shared.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';
import { waysInto } from './ways-into.ts';

const shared = sharedByTests(openConsoleBrowser);

/** Addresses of what was deleted, or never was, with the name of the screen that leads on. */
const missing = [
  ['templates', 'Templates'],
  ['queues', 'Queues'],
] as const;

it('The console leads from what is not there to its list, and says where an address is cut', async () => {
  const { browser, world, console, identityUrl } = shared();
  const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
  const opened = await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins);
  const { page } = new Author(opened);
  const inside = (path: string): string => `${world.api.base}/console/${console.id}/production/${path}`;
  await opened.signInAsOlivia(inside('usage'));
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  for (const [screen, name] of missing) {
    await page.goto(inside(`${screen}/${randomUUID()}`));
    const said = page.getByRole('alert');
    await said.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expect(await page.title()).toBe(`${name} · Stanza`);
    expect(await said.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await said.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
  for (const mistyped of ['no-such-screen', 'messages/01a23223-4d90-750b', 'templates/01a23223']) {
    await page.goto(inside(mistyped));
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    expect(await page.title()).toBe('There is no such page · Stanza');
  }
});

it('A page that was not loaded without a network is there when the network is back', async () => {
  const { opened, page } = await waysInto(shared).openAs('templates');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
  await opened.close();
});
