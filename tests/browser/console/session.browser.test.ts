import { describe, expect, it } from '@jest/globals';
import { createModal, createTemplate, getOrganization, inviteMember } from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { waitFor } from '../../kit/wait.ts';
import { openConsoleBrowser, openConsoleWorld } from './console-world.ts';
import { waysInto } from './ways-into.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];

describe('a session of the console', () => {
  const shared = sharedByTests(openConsoleBrowser);
  const { addressOf, open } = waysInto(shared);

  const newTemplate = async (): Promise<string> => {
    const { id } = await shared().console.api.ok(createTemplate, { body: { name: 'Letter', blocks } });
    return id;
  };

  it('that ends in the middle of writing loses nothing: signing in leads back to what was written', async () => {
    const opened = await open();
    const { page } = opened;
    await opened.signInAsOlivia(addressOf(`templates/${await newTemplate()}`));
    const preview = page.getByRole('region', { name: 'Preview' });
    const text = page.getByRole('textbox', { name: 'Text', exact: true }).first();
    await text.fill('Written before the end');
    await preview.getByText('Written before the end').first().waitFor();
    await page.context().clearCookies();
    await text.fill('Written before the end, and after it');
    await preview.getByText('Written before the end, and after it').first().waitFor();
    await page.getByRole('button', { name: 'Save version' }).click();
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
    if (await save.isVisible()) await save.click();
    await page.getByRole('heading', { name: 'Sign in to Stanza' }).waitFor();
    await page.getByRole('link', { name: /sign-in/ }).click();
    await page
      .getByRole('button', { name: /^Continue as Olivia/ })
      .first()
      .click();
    await preview.getByText('Written before the end, and after it').first().waitFor();
    await opened.close();
  });

  it('keeps what stands in a form where the server is away as the page is looked at again', async () => {
    const opened = await open();
    const { page } = opened;
    await opened.signInAsOlivia(addressOf('people'));
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const email = page.getByRole('dialog').getByLabel('E-mail address');
    await email.fill('grace@example.com');
    let failures = 0;
    page.on('requestfailed', (request) => {
      if (request.url().endsWith('/console/auth/session')) failures += 1;
    });
    await page.context().setOffline(true);
    // Who is signed in is asked again after half a minute.
    await page.clock.setFixedTime('2040-01-01T00:00:00Z');
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await waitFor('the third failed question', () => failures === 3);
    await page.context().setOffline(false);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Nobody but grace@example.com can use it').waitFor();
    await opened.close();
  });

  it('that cannot be ended says so, and ends by another press', async () => {
    const opened = await open();
    const { page } = opened;
    await opened.signInAsOlivia(addressOf('templates'));
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: /^Search commands/ });
    await palette.fill('Sign out');
    await page.context().setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('You are still signed in.').waitFor();
    const notice = page.locator('[popover]', { hasText: 'You are still signed in.' });
    await notice.getByRole('button', { name: 'Hide' }).press('Enter');
    await page.locator('#content:focus').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').getByText('You are still signed in.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Stanza' }).waitFor();
    await opened.close();
  });

  it('of a person without an organization says what they lack, and can be ended', async () => {
    const opened = await open();
    const { page } = opened;
    await page.goto(`${shared().world.api.base}/console/`);
    await page.getByRole('link', { name: /sign-in/ }).click();
    await page.getByLabel('Another e-mail address').fill('newcomer@example.com');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('heading', { name: 'You are not a member of an organization yet' }).waitFor();
    await page.getByText('You are signed in as newcomer@example.com.').waitFor();
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: /sign-in/ }).waitFor();
    await opened.close();
  });

  it('reaches no organization of others by its address, and says so', async () => {
    const other = await shared().world.newOrganization({ connected: false });
    const opened = await open();
    await opened.signInAsOlivia(addressOf('templates'));
    await opened.page.goto(addressOf('templates', other.id));
    await opened.page.getByRole('heading', { name: 'You are not a member of this organization' }).waitFor();
    expect(opened.complaints).toEqual({ console: [], foreign: [] });
    await opened.close();
  });

  it('accepts an invitation by the link that People shows, as the person of its address alone', async () => {
    const { world } = shared();
    const other = await world.newOrganization({ connected: false });
    const owner = world.api.with((await other.key()).key);
    const { name } = await owner.ok(getOrganization, { params: { id: other.id } });
    const { invitation_id } = await owner.ok(inviteMember, {
      params: { id: other.id },
      body: { email: 'olivia@acme-rockets.example', role: 'viewer' },
    });
    const opened = await open();
    const { page } = opened;
    await opened.signInAsOlivia(addressOf('people'));
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('ada@example.com');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await dialog
      .getByRole('figure', { name: 'Link of the invitation' })
      .getByText(/join/)
      .innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /ada@example.com/ })
      .getByRole('button', { name: 'Copy link' })
      .waitFor();

    await page.goto(link);
    await page
      .getByRole('alert')
      .getByText(/^This invitation is for another e-mail address/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Accept the invitation' }).count()).toBe(0);
    opened.forgetFailedRequests();

    await page.goto(`${world.api.base}/console/join?invitation=${invitation_id}`);
    await page.getByText(`${name} invites you to join as a viewer.`).waitFor();
    await page.getByText('You are signed in as olivia@acme-rockets.example.').waitFor();
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    expect(page.url()).toContain(`/console/${other.id}/production/templates`);
    expect({ barriers: await opened.barriers(), ...opened.complaints }).toEqual({
      barriers: [],
      console: [],
      foreign: [],
    });
    expect(link).toContain(`${new URL(world.api.base).origin}/console/join?invitation=`);
    await opened.close();
  });

  it('begins with a key as well, acts with its scopes, names those that it lacks, and ends for every tab', async () => {
    const opened = await open();
    const { page } = opened;
    const { key } = await shared().console.keyWith(['templates:read']);
    await opened.signInWithKey(addressOf('templates'), key);
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    await page.getByText('templates:create').waitFor();
    await page.getByRole('link', { name: 'Queues' }).click();
    await page
      .getByRole('alert')
      .getByText(/It takes the scope [a-z]+:read/)
      .waitFor();
    const tab = await page.context().newPage();
    await tab.goto(addressOf('templates'));
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByRole('heading', { name: 'Sign in to Stanza' }).waitFor();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('heading', { name: 'Sign in to Stanza' }).waitFor();
    expect(opened.complaints.foreign).toEqual([]);
    await page.context().close();
  });

  it('shows what a role allows as soon as the person has changed their own', async () => {
    const own = await openConsoleWorld(shared().world);
    const opened = await open();
    const { page } = opened;
    await opened.signInAsOlivia(addressOf('people', own.id));
    await page.getByText('· admin').waitFor();
    await page.getByLabel('Role of Olivia Owner').selectOption('member');
    await page.getByRole('button', { name: 'Change the role' }).click();
    await page.getByText('· member').waitFor();
    await opened.close();
    await own.end();
  });

  it('that has ended shows nothing of itself to the next one', async () => {
    const { console } = shared();
    const opened = await open();
    const { page } = opened;
    await opened.signInWithKey(addressOf('keys'), console.key);
    await page.getByRole('table', { name: 'Keys' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('heading', { name: 'Sign in to Stanza' }).waitFor();
    const { key } = await console.keyWith(['templates:read']);
    await page.getByRole('button', { name: 'Use a key' }).click();
    await page.getByLabel('API key').fill(key);
    // No answer comes, so that what stands there is what was kept.
    await page.route(/\/v1\/api-keys/, () => undefined);
    await page.getByRole('button', { name: 'Sign in with the key' }).click();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(await page.getByRole('table', { name: 'Keys' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await opened.close();
  });

  it('keeps what is written in the browser for its author alone, also what an earlier release kept', async () => {
    const { console } = shared();
    const { id } = await console.api.ok(createModal, {
      body: { name: 'Refund', title: 'Refund', blocks },
    });
    const path = `modals/${id}?write=yes`;
    const opened = await open();
    const { page } = opened;
    await opened.signInAsOlivia(addressOf(path));
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    const signOut = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Stanza' }).waitFor();
    };
    await title.fill('By Olivia');
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    await signOut();
    await opened.signInWithKey(addressOf(path), console.key);
    await title.waitFor();
    expect(await title.inputValue()).toBe('Refund');
    await signOut();
    await opened.signInAsOlivia(addressOf(path));
    await title.waitFor();
    expect(await title.inputValue()).toBe('By Olivia');
    await page.evaluate(`for (const [key, kept] of Object.entries(localStorage))
      if (key.endsWith('.${id}')) {
        localStorage.removeItem(key);
        localStorage.setItem('stanza.draft.${id}', kept);
      }`);
    await page.reload();
    await title.waitFor();
    expect(await title.inputValue()).toBe('By Olivia');
    expect(await page.evaluate(`localStorage.getItem('stanza.draft.${id}')`)).toBeNull();
    await opened.close();
  });
});
