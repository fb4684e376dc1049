import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { limits } from '@stanza/test-kit/limits';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { root } from '../../docs/markdown.ts';

/** How a browser shows the console. */
export interface Looks {
  width: number;
  /** Default: 900. */
  height?: number;
  colorScheme: 'light' | 'dark';
}

/** What no page of the console may do; empty where all is well. */
export interface Complaints {
  /** Errors of scripts, of the policy of the page, and of what it could not load. */
  console: string[];
  /** Requests to anything but the gateway. */
  foreign: string[];
}

const isOwn = (url: string, origins: readonly string[]): boolean =>
  /^(data|blob|about):/.test(url) || origins.includes(new URL(url).origin);

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Has the page find its barriers; nothing but those is brought out of it. */
const findBarriers =
  "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)";

/** Has the page find words of tables that stand on two lines, and actions that are pushed below their title. */
const findDisorder = `(() => {
  const isSplit = (text, at, word) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  };
  const split = [...document.querySelectorAll('#content th, #content td')].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
        if (word.length <= 16 && isSplit(texts.currentNode, index, word)) found.push('split: ' + word);
      }
    }
    return found;
  });
  const title = document.querySelector('#content h1');
  const actions = document.querySelector('#content [data-actions="true"] button');
  const isBelow = title && actions && actions.getBoundingClientRect().top >= title.getBoundingClientRect().bottom;
  return [...split, ...(isBelow ? ['actions below ' + title.innerText] : [])];
})()`;

/** A browser at the console, which keeps what must not happen. */
export class ConsolePage {
  readonly page: Page;
  readonly complaints: Complaints = { console: [], foreign: [] };
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
  }

  /** Opens an empty page. `origins` are those that it may ask. */
  static async open(browser: Browser, looks: Looks, origins: readonly string[]): Promise<ConsolePage> {
    const context = await browser.newContext({
      viewport: { width: looks.width, height: looks.height ?? 900 },
      colorScheme: looks.colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    const page = await context.newPage();
    const opened = new ConsolePage(context, page);
    const { complaints } = opened;
    page.setDefaultTimeout(limits.conditionMs);
    page.on('pageerror', (error) => complaints.console.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error' || line.type() === 'warning') complaints.console.push(line.text());
    });
    page.on('request', (request) => {
      if (!isOwn(request.url(), origins)) complaints.foreign.push(request.url());
    });
    return opened;
  }

  /** Signs in at the sandbox's identity provider as its first person. */
  async signInAsOlivia(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.getByRole('link', { name: /sign-in/ }).click();
    await this.page
      .getByRole('button', { name: /^Continue as Olivia/ })
      .first()
      .click();
    await this.page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** Signs in with an API key. */
  async signInWithKey(address: string, key: string): Promise<void> {
    await this.page.goto(address);
    await this.page.getByRole('button', { name: 'Use a key' }).click();
    await this.page.getByLabel('API key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in with the key' }).click();
    await this.page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** What axe finds that keeps people out, in a word and where. */
  async barriers(): Promise<string[]> {
    // A page keeps the program until it is loaded anew. Giving it anew for each look takes ten times as long.
    if (await this.page.evaluate("typeof axe === 'undefined'")) {
      await this.page.evaluate(await readFile(axeFile, 'utf8'));
    }
    const violations = await this.page.evaluate<AxeResults['violations']>(findBarriers);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }

  /** Shows the same page in another width and theme. */
  async look({ width, height = 900, colorScheme }: Looks): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  }

  /** Has the page run four times slower, and each request take as long as on a mobile network. */
  async slowDown(): Promise<void> {
    const session = await this.#context.newCDPSession(this.page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 90_000,
    });
  }

  /** Goes to an address inside of the console, as a link does: nothing is loaded anew. */
  async goInside(path: string): Promise<void> {
    await this.page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  }

  /** Whether the page must be scrolled sideways. */
  overflows(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  }

  /** What is out of place on a page that is neither wide nor narrow. */
  disorder(): Promise<string[]> {
    return this.page.evaluate<string[]>(findDisorder);
  }

  /** What a broken line or a refusal leaves on the console of the browser is told to the person, and no fault. */
  forgetFailedRequests(): void {
    const { complaints } = this;
    complaints.console = complaints.console.filter((line) => !line.startsWith('Failed to load resource'));
  }

  /** Keeps a picture for people to look at, where that is asked for. Answers it. */
  async keepPicture(name: string): Promise<Buffer | undefined> {
    if (process.env.STANZA_SCREENSHOTS !== 'write') return undefined;
    const image = await this.page.screenshot({ type: 'png', animations: 'disabled' });
    await mkdir(join(root, '.stanza/screens'), { recursive: true });
    await writeFile(join(root, `.stanza/screens/${name}.png`), image);
    return image;
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
