import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testStack } from '@stanza/test-kit/database';
import { limits } from '@stanza/test-kit/limits';
import { pageText, root } from '../../docs/markdown.ts';
import { wantsAll } from '../../kit/cases.ts';
import { withPalette } from '../../kit/palette-png.ts';
import { sharedByTests } from '../../kit/shared.ts';
import { ConsolePage } from './console-page.ts';
import { openConsoleBrowser } from './console-world.ts';
import {
  bringAbout,
  detailsInStates,
  isOfAScreen,
  listsInStates,
  type State,
  states,
  toldIn,
} from './states.ts';

const keepsPictures = process.env.STANZA_SCREENSHOTS === 'write';
/** A list and one thing of it show whether the states are as they are meant; each has its own where all are wanted. */
const isShort = !keepsPictures && !wantsAll;
const wanted = <T extends { slug: string }>(screens: readonly T[], few: string): readonly T[] =>
  screens.filter(({ slug }) => !isShort || slug === few);
const shownLists = wanted(listsInStates, 'queues');
const shownDetails = wanted(detailsInStates, 'queue');

const pictures = 'images/states';

/** Pictures of one screen in its states, as one picture. */
const sheetOf = (shown: readonly (readonly [State, Buffer])[]): string =>
  `<body style="margin:0;padding:12px;background:#dcd9e8;font:600 15px sans-serif;width:1476px">
    <div style="display:grid;grid-template-columns:repeat(3,1fr);gap:12px">
      ${shown
        .map(
          ([state, png]) =>
            `<div>${state}<img style="display:block;width:100%;margin-top:4px;border-radius:6px" src="data:image/png;base64,${png.toString('base64')}"></div>`,
        )
        .join('')}
    </div>
  </body>`;

describe('the states of the console', () => {
  const shared = sharedByTests(async () => {
    const opened = await openConsoleBrowser();
    await opened.console.fill();
    return opened;
  });
  const taken = new Map<string, [State, Buffer][]>();

  const addressOf = (path: string): string =>
    `${shared().world.api.base}/console/${shared().console.id}/production/${path}`;
  /** Opens the frame in a state. Who lacks permissions has the key of a program that may do one thing alone. */
  const openIn = async (state: State): Promise<ConsolePage> => {
    const { browser, world, console } = shared();
    const origins = [world.api.base, testStack().identity_url].map((url) => new URL(url).origin);
    const opened = await ConsolePage.open(
      browser,
      { width: 800, height: 560, colorScheme: 'light' },
      origins,
    );
    const start = addressOf('none');
    if (state === 'no permission') {
      await opened.signInWithKey(start, (await console.keyWith(['entities:read'])).key);
    } else await opened.signInAsOlivia(start);
    await bringAbout(opened.page, state, console.key);
    return opened;
  };
  const look = async (
    opened: ConsolePage,
    state: State,
    screen: (typeof listsInStates)[number],
    path: string,
  ): Promise<void> => {
    if (state === 'empty' && screen.empty === undefined) return;
    // Each is loaded anew: the words of the screen before are the same.
    const asked = opened.page.waitForRequest((request) => isOfAScreen(request.url()));
    await opened.page.goto(addressOf(path));
    await asked;
    const told = toldIn(opened.page.locator('#content'), state, screen);
    for (const one of told) await one.waitFor();
    const where = `${screen.title}, ${state}`;

    expect({ where, barriers: await opened.barriers(), foreign: opened.complaints.foreign }).toEqual({
      where,
      barriers: [],
      foreign: [],
    });
    if (!keepsPictures) return;
    // In one go: what is told may be drawn anew at any moment, as when a list asks again.
    await told.at(-1)?.evaluate('(element) => element.scrollIntoViewIfNeeded()');
    const picture = await opened.page.screenshot({ animations: 'disabled' });
    taken.set(screen.slug, [...(taken.get(screen.slug) ?? []), [state, picture]]);
  };

  it.each(states)(
    '“%s” is told in the same words on every screen, with what to do',
    async (state) => {
      const items = await shared().console.items();
      const opened = await openIn(state);
      for (const screen of shownLists) {
        await look(opened, state, screen, screen.slug);
      }
      for (const screen of shownDetails) {
        await look(opened, state, screen, `${screen.list}/${items[screen.list] ?? ''}`);
      }
      await opened.page.unrouteAll({ behavior: 'ignoreErrors' });
      await opened.close();
    },
    limits.testMs,
  );

  it('are in the gallery for every screen of the navigation, each with its picture', async () => {
    const opened = await openIn('error');
    await opened.look({ width: 1440, colorScheme: 'light' });
    const names = await opened.page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link')
      .allInnerTexts();
    expect(listsInStates.map(({ title }) => title)).toEqual(names);
    const folder = join(root, 'docs', pictures);
    if (keepsPictures) await mkdir(folder, { recursive: true });
    for (const [slug, shown] of taken) {
      const page = await shared().browser.newPage({ viewport: { width: 1500, height: 400 } });
      await page.setContent(sheetOf(shown));
      await writeFile(join(folder, `${slug}.png`), withPalette(await page.locator('body').screenshot()));
      await page.close();
    }
    const gallery = pageText('docs/console-states.md');
    for (const { title, slug } of [...listsInStates, ...detailsInStates]) {
      expect([slug, existsSync(join(folder, `${slug}.png`))]).toEqual([slug, true]);
      expect(gallery).toContain(`## ${title}\n`);
      expect(gallery).toContain(`](${pictures}/${slug}.png)`);
    }
    await opened.close();
  });
});
