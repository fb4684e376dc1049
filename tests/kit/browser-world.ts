import { launchChromium } from '@stanza/sandbox/testing/chromium';
import type { Browser } from 'playwright-core';
import { openWorld, type World } from './stack.ts';

/** The running stack, and a browser. */
export interface BrowserWorld {
  browser: Browser;
  world: World;
  close(): Promise<void>;
}

/** Starts a browser, and connects to the shared stack. */
export const openBrowserWorld = async (): Promise<BrowserWorld> => {
  const browser = await launchChromium();
  const world = await openWorld();
  return {
    browser,
    world,
    close: async () => {
      await browser.close();
      await world.close();
    },
  };
};
