import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getChatConnection, installChatConnection } from '@stanza/contracts';
import { limits } from '@stanza/test-kit/limits';
import type { Page } from 'playwright-core';
import { v7 } from 'uuid';
import type { Api } from '../kit/api.ts';
import { openBrowserWorld } from '../kit/browser-world.ts';
import { sharedByTests } from '../kit/shared.ts';

describe('connecting a workspace in a browser', () => {
  const own = sharedByTests(openBrowserWorld);
  let page: Page;
  let complaints: string[];

  beforeEach(async () => {
    page = await own().browser.newPage({ viewport: { width: 900, height: 800 } });
    page.setDefaultTimeout(limits.conditionMs);
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    // What the policy of a page forbids, and what it cannot load, is said on the console.
    page.on('console', (line) => {
      const isIcon = line.location().url.endsWith('/favicon.ico');
      if (line.type() === 'error' && !isIcon) complaints.push(line.text());
    });
  });
  afterEach(async () => {
    await page.close();
  });

  const newcomer = async (): Promise<Api> => {
    const organization = await own().world.newOrganization({ connected: false });
    return own().world.api.with((await organization.key()).key);
  };
  const newWorkspace = (): string => `w-${v7()}`;
  const openScreen = async (api: Api): Promise<void> => {
    await page.goto((await api.ok(installChatConnection)).url);
    await page.getByRole('heading', { name: 'Stanza wants to access a workspace' }).waitFor();
  };

  it('goes from the screen over the page to the connection, by three clicks', async () => {
    const api = await newcomer();
    const workspace = newWorkspace();
    await openScreen(api);
    expect(await page.getByRole('listitem').allInnerTexts()).toContain('chat:write');
    await page.getByLabel('Workspace').fill(workspace);
    await page.getByRole('button', { name: 'Allow' }).click();

    await page.getByRole('heading', { name: new RegExp(`^Connect ${workspace} to Test`) }).waitFor();
    expect(new URL(page.url()).origin).toBe(own().world.api.base);
    // The page's own style is the one thing that its policy lets in.
    const background = await page.evaluate(
      "getComputedStyle(document.querySelector('button')).backgroundColor",
    );
    expect(background).toBe('rgb(91, 75, 219)');
    await page.getByRole('button', { name: /^Connect to Test/ }).click();

    await page.getByRole('heading', { name: `${workspace} is connected` }).waitFor();
    expect(await api.ok(getChatConnection)).toMatchObject({ state: 'active', workspace_name: workspace });
    expect(complaints).toEqual([]);
  });

  it('ends without a connection when the person cancels', async () => {
    const api = await newcomer();
    await openScreen(api);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Nothing was connected' }).waitFor();
    expect((await api.get('/v1/chat-connection')).status).toBe(404);
    expect(complaints).toEqual([]);
  });

  it('tells a person who goes back and allows it once more that the address was used', async () => {
    const api = await newcomer();
    await openScreen(api);
    await page.getByRole('button', { name: 'Allow' }).click();
    const connect = page.getByRole('button', { name: /^Connect to/ });
    await connect.waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.getByText('it works once, for ten minutes').waitFor();
    expect((await api.get('/v1/chat-connection')).status).toBe(404);
  });
});
