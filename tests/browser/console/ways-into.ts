import type { Page } from 'playwright-core';
import { ConsolePage } from './console-page.ts';
import type { openConsoleBrowser } from './console-world.ts';

/** Ways into the console of a world that tests share, at the width of a desk. */
export const waysInto = (shared: () => Awaited<ReturnType<typeof openConsoleBrowser>>) => {
  const addressOf = (path: string, organization = shared().console.id): string =>
    `${shared().world.api.base}/console/${organization}/production/${path}`;
  const open = (): Promise<ConsolePage> =>
    ConsolePage.open(
      shared().browser,
      { width: 1440, colorScheme: 'light' },
      [shared().world.api.base, shared().identityUrl].map((url) => new URL(url).origin),
    );
  /** Opens a page as Olivia. */
  const openAs = async (
    path: string,
    organization?: string,
  ): Promise<{ opened: ConsolePage; page: Page }> => {
    const opened = await open();
    await opened.signInAsOlivia(addressOf(path, organization));
    return { opened, page: opened.page };
  };
  return { addressOf, open, openAs };
};
