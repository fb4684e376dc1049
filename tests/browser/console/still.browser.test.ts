import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedByTests } from '../../kit/shared.ts';
import { waitFor } from '../../kit/wait.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';

/** Keeps how much has moved on the page by itself, as the browser measures it. */
const measure = `
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.moved += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Whether all of a screen is there, and was drawn. */
const isThere = `
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
    document.querySelector('#content h1') !== null && document.querySelector('#content [data-loading]') === null
  ))))
`;

const lists = ['templates', 'modals', 'messages', 'queues', 'schedules', 'destinations', 'events'];
const screens = [...lists, 'connections', 'keys', 'people', 'usage', 'audit-log', 'settings'];

describe('a screen of the console that loads', () => {
  const shared = sharedByTests(openConsoleBrowser);

  beforeAll(() => shared().console.fill());

  const inside = (screen: string): string =>
    `${shared().world.api.base}/console/${shared().console.id}/production/${screen}`;

  const openAt = async (width: number): Promise<ConsolePage> => {
    const { browser, world, identityUrl } = shared();
    const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
    const opened = await ConsolePage.open(browser, { width, colorScheme: 'light' }, origins);
    await opened.signInAsOlivia(inside('modals'));
    return opened;
  };

  const everyScreen = async (): Promise<string[]> => {
    const items = await shared().console.items();
    return [...screens, ...Object.entries(items).map(([screen, id]) => `${screen}/${id}`)];
  };

  it.each([360, 768, 1440])('moves nothing that is seen already, %d pixels wide', async (width) => {
    const opened = await openAt(width);
    await opened.page.addInitScript(measure);
    const moved: [string, number][] = [];
    for (const screen of await everyScreen()) {
      await opened.page.goto(inside(screen));
      await waitFor(screen, () => opened.page.evaluate<boolean>(isThere));
      moved.push([screen, await opened.page.evaluate<number>('window.moved')]);
    }
    expect(moved.filter(([, value]) => value > 0.02)).toEqual([]);
    await opened.close();
  });
  it('A screen is drawn in a browser that names its language as no standard does', async () => {
    const opened = await openAt(1280);
    // As of Chromium on a system whose locale is POSIX.
    await opened.page.addInitScript(
      "Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })",
    );
    for (const screen of await everyScreen()) {
      await opened.page.goto(inside(screen));
      await waitFor(screen, () => opened.page.evaluate<boolean>(isThere));
      expect({ screen, complaints: opened.complaints.console }).toEqual({ screen, complaints: [] });
    }
    await opened.close();
  });
});
