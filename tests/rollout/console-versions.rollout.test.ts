import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getTemplate } from '@stanza/contracts';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import type { Browser } from 'playwright-core';
import { Author } from '../browser/console/author.ts';
import { ConsolePage } from '../browser/console/console-page.ts';
import { type ConsoleWorld, openConsoleWorld } from '../browser/console/console-world.ts';
import { listsInStates } from '../browser/console/states.ts';
import { type LocalServer, startLocalServer } from '../kit/local-server.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { buildPreviousVersions, previousVersion } from '../kit/previous-version.ts';

/** Whether a gateway answers it from the files of the console, and not from the API or the sign-in. */
const isFile = (path: string): boolean => path.startsWith('/console') && !path.startsWith('/console/auth');

/** Who answers in a rollout, where a page of one version talks to the other: files by one, all else by the other. */
const mixes = [
  { name: 'pages of the previous version, answered by this one', files: 'before', rest: 'this' },
  { name: 'pages of this version, answered by the one before', files: 'this', rest: 'before' },
] as const;

/** Operations that the previous version lacks: a page goes without their answers, and the browser notes each 404. */
const added = ['/v1/chat-connection/channels', '/v1/chat-connection/people'];

/** Passes a request on to a gateway, and its answer back; a page that leaves ends both. */
const pass = (
  asked: IncomingMessage,
  answer: ServerResponse,
  gateway: string,
  note: (status: number | undefined) => void,
): void => {
  const { method, headers, url = '/' } = asked;
  const passed = request(new URL(url, gateway), { method, headers, agent: false }, (got) => {
    note(got.statusCode);
    answer.writeHead(got.statusCode ?? 502, got.headers);
    pipeline(got, answer).catch(() => answer.destroy());
  });
  pipeline(asked, passed).catch(() => answer.destroy());
};

/** Begins a blank template: one version asks for its name first, the other in the editor. */
const beginBlank = async (author: Author, name: string): Promise<void> => {
  await author.dialog().getByRole('button', { name: 'Blank' }).click();
  const dialog = author.page.getByRole('dialog', { name: 'New blank template' });
  const title = author.page.getByRole('textbox', { name: 'Template name' });
  await dialog.or(title).first().waitFor();
  if (await dialog.isVisible()) {
    await author.type(name);
    await author.key('Enter');
  } else {
    await title.fill(name);
    await author.seesKept();
  }
};

const previous = await previousVersion('gateway');

// Without the history of the repository there is no version before to build; the report counts the tests as skipped.
(previous ? describe : describe.skip)('the console while a release is rolled out', () => {
  let own: OwnStack;
  let browser: Browser;
  let removeBuilds: (() => Promise<void>) | undefined;
  let console: ConsoleWorld;
  let front: LocalServer;
  /** Who gets the requests of the pages now. */
  let now: (typeof mixes)[number] = mixes[0];
  const asked = new Set<string>();
  /** Answers of 404 to {@link added} operations. */
  let absent = 0;

  beforeAll(async () => {
    front = await startLocalServer(async (request, response) => {
      const version = isFile(request.url ?? '') ? now.files : now.rest;
      asked.add(version);
      const [current = '', before = ''] = own.stack.baseUrls;
      const isAdded = added.some((path) => request.url?.startsWith(path));
      pass(request, response, version === 'this' ? current : before, (status) => {
        if (version === 'before' && isAdded && status === 404) absent += 1;
      });
    });
    const { builds, remove } = await buildPreviousVersions(previous ? [previous] : []);
    removeBuilds = remove;
    own = await startOwnStack('console-versions', {
      // With the demo, whose people the provider of the sandbox knows.
      env: { STANZA_CONSOLE_URL: front.url },
      replicas: { gateway: 2 },
      builds: Object.fromEntries([...builds].map(([service, build]) => [`${service}-2`, build])),
    });
    browser = await launchChromium();
    console = await openConsoleWorld(own.world);
    await console.fill();
  });

  afterAll(async () => {
    await browser?.close();
    await front?.close();
    await own?.close();
    await removeBuilds?.();
  });

  describe.each(mixes)('has $name:', (mix) => {
    let author: Author;

    beforeAll(async () => {
      now = mix;
      asked.clear();
      absent = 0;
      const origins = [front.url, own.stack.info.identity_url].map((url) => new URL(url).origin);
      const opened = await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins);
      author = new Author(opened);
      await opened.signInAsOlivia(`${front.url}/console/${console.id}/production/templates`);
    });

    it('an author writes a template, which is kept, and makes it live', async () => {
      await author.button('New template').click();
      await beginBlank(author, mix.name);
      await author.edit('Hello', /^Section Hello/);
      await author.type(' of {{service}}');
      await author.field('Service').fill('billing');
      await author.seesDrawn('of billing');
      await author.seesKept();
      await author.button('Make live').click();
      await author.dialog().getByRole('button', { name: 'Make live' }).click();
      await author
        .dialog()
        .getByRole('heading', { name: /^Version \d+ is live$/ })
        .waitFor();
      const id = new URL(author.page.url()).pathname.split('/').at(-1) ?? '';
      const { current_version } = await console.api.ok(getTemplate, { params: { id } });
      expect(JSON.stringify(current_version?.blocks)).toContain('of {{service}}');
    });

    it.each(listsInStates)('$title opens, without an error', async ({ title, slug }) => {
      await author.opened.goInside(`/console/${console.id}/production/${slug}`);
      await author.page.getByRole('heading', { level: 1, name: title }).waitFor();
      await author.page
        .getByRole('status', { name: /^Loading/ })
        .first()
        .waitFor({ state: 'hidden' });
      await author.opened.keepPicture(`${mix.name} ${slug}`);
      expect(await author.page.getByRole('alert').allInnerTexts()).toEqual([]);
      const { console: said, foreign } = author.opened.complaints;
      const others = said.filter((it) => !it.includes('404 (Not Found)'));
      expect({ others, foreign }).toEqual({ others: [], foreign: [] });
      expect(said.length).toBeLessThanOrEqual(absent);
    });

    it('asked both versions', () => {
      expect(asked).toEqual(new Set(['this', 'before']));
    });
  });
});
