import { describe, expect, it } from '@jest/globals';
import {
  createModal,
  deleteUser,
  getTemplateDraft,
  listMembers,
  type Role,
  updateMember,
} from '@stanza/contracts';
import { sharedByTests } from '../../kit/shared.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { waitFor } from '../../kit/wait.ts';
import { type ConsoleWorld, openConsoleBrowser, openConsoleWorld } from './console-world.ts';
import { waysInto } from './ways-into.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }];

/** Olivia as a member, whom somebody else demotes and removes. */
const memberOf = async ({ api, id }: ConsoleWorld) => {
  const { data } = await api.ok(listMembers, { params: { id }, query: {} });
  const user_id = data.find(({ email }) => email.startsWith('olivia'))?.id ?? '';
  return {
    turnInto: (role: Exclude<Role, 'owner'>) =>
      api.ok(updateMember, { params: { id, user_id }, body: { role } }),
    remove: () => api.ok(deleteUser, { params: { id: user_id } }),
  };
};

describe('rights that change while a page is open', () => {
  const shared = sharedByTests(openConsoleBrowser);
  const { openAs } = waysInto(shared);

  const withOrganization = async (test: (own: ConsoleWorld) => Promise<void>): Promise<void> => {
    const own = await openConsoleWorld(shared().world);
    await test(own);
    await own.end();
  };

  it('are named where a form is refused, which keeps what was entered and is not offered again', () =>
    withOrganization(async (own) => {
      const member = await memberOf(own);
      const { opened, page } = await openAs('people', own.id);
      const opener = page.getByRole('button', { name: 'Invite a person' });
      await opener.click();
      const form = page.getByRole('dialog', { name: 'Invite a person' });
      const email = form.getByLabel('E-mail address');
      await email.fill('ada@example.com');
      await member.turnInto('viewer');
      await form.getByRole('button', { name: 'Invite', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/^It takes the scope organizations:write, which your role/)
        .waitFor();
      expect(await email.inputValue()).toBe('ada@example.com');
      await form.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('· viewer').waitFor();
      await page.getByRole('status').getByText('Your role in Orbit Labs is viewer now').waitFor();
      expect(await opener.count()).toBe(0);
      await page.locator('#content').and(page.locator(':focus')).waitFor();
      await opened.close();
    }));

  it('leave what is written of a template in the browser, and offer saving again with the role', () =>
    withOrganization(async (own) => {
      const member = await memberOf(own);
      const { id } = await liveTemplate(own.api, blocks, { name: 'Letter' });
      const { opened, page } = await openAs(`templates/${id}`, own.id);
      const text = page.getByRole('textbox', { name: 'Text', exact: true }).first();
      await text.fill('Before');
      await page.getByRole('status').getByText('draft kept', { exact: true }).waitFor();
      await member.turnInto('viewer');
      await text.fill('Before, and after');
      await page.getByText('in this browser alone. It takes the scope templates:update').waitFor();
      await page.getByText('· viewer').waitFor();
      expect(await page.getByRole('button', { name: 'Save version' }).count()).toBe(0);
      await page.reload();
      await page.getByRole('region', { name: 'Preview' }).getByText('Before, and after').first().waitFor();
      await member.turnInto('member');
      await page.reload();
      await page.getByRole('button', { name: 'Save version' }).waitFor();
      const draft = () => own.api.ok(getTemplateDraft, { params: { id } });
      await waitFor('the draft on the server', async () =>
        JSON.stringify(await draft()).includes('Before, and after'),
      );
      await opened.close();
    }));

  it('that have ended leave what is written on the page, say so, and offer nothing more', () =>
    withOrganization(async (own) => {
      const member = await memberOf(own);
      const { id } = await liveTemplate(own.api, blocks, { name: 'Letter' });
      const { opened, page } = await openAs(`templates/${id}`, own.id);
      const text = page.getByRole('textbox', { name: 'Text', exact: true }).first();
      await text.fill('Before');
      await page.getByRole('status').getByText('draft kept', { exact: true }).waitFor();
      await member.turnInto('viewer');
      await text.fill('Before, and');
      await page.getByText('· viewer').waitFor();
      await member.remove();
      await text.fill('Before, and after');
      const told = page.getByRole('alert').filter({ hasText: 'You are not a member of Orbit Labs any more' });
      await told.waitFor();
      expect(await text.inputValue()).toBe('Before, and after');
      expect(await page.getByRole('button', { name: 'Test send' }).count()).toBe(0);
      await opened.look({ width: 390, height: 500, colorScheme: 'dark' });
      await page.getByText('Data as JSON').first().scrollIntoViewIfNeeded();
      expect((await told.boundingBox())?.y).toBeGreaterThanOrEqual(0);
      expect(await opened.barriers()).toEqual([]);
      await opened.look({ width: 1440, colorScheme: 'light' });
      await page.getByRole('link', { name: 'Queues' }).click();
      await page.getByRole('alert').getByText('You are not a member of this organization any more').waitFor();
      await told.getByRole('link', { name: 'Your organizations' }).click();
      await page.waitForURL((url) => !url.pathname.includes(own.id));
      await opened.close();
    }));

  it('that have ended leave the modal that is written', () =>
    withOrganization(async (own) => {
      const member = await memberOf(own);
      const { id } = await own.api.ok(createModal, { body: { name: 'Refund', title: 'Refund', blocks } });
      const { opened, page } = await openAs(`modals/${id}?write=yes`, own.id);
      const title = page.getByRole('textbox', { name: 'Title', exact: true });
      await title.fill('Money back');
      await member.remove();
      await page.getByRole('button', { name: 'Save version' }).click();
      await page.getByText('You are not a member of Orbit Labs any more').waitFor();
      expect(await title.inputValue()).toBe('Money back');
      await opened.close();
    }));

  it('do not close a form of a list that may not be read any more', () =>
    withOrganization(async (own) => {
      const member = await memberOf(own);
      const { id } = await own.api.ok(createModal, { body: { name: 'Refund', title: 'Refund', blocks } });
      const { opened, page } = await openAs(`modals/${id}`, own.id);
      await page.getByRole('button', { name: 'Delete' }).click();
      await member.remove();
      const asked = page.waitForResponse(
        (response) => response.url().endsWith(id) && response.status() === 403,
      );
      await page.clock.setFixedTime('2040-01-01T00:00:00Z');
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      await asked;
      await page.getByText('What you see is as it was before.').first().waitFor();
      await page.getByRole('dialog', { name: /^Delete Refund/ }).waitFor();
      await opened.close();
    }));

  it('end with a session that a form outlives: it goes on with the next one', async () => {
    const { opened, page } = await openAs('people');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('E-mail address').fill('grace@example.com');
    await page.context().clearCookies();
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      form.getByRole('link', { name: 'sign in in another tab' }).click(),
    ]);
    await tab.getByRole('link', { name: /sign-in/ }).click();
    await tab
      .getByRole('button', { name: /^Continue as Olivia/ })
      .first()
      .click();
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Nobody but grace@example.com can use it').waitFor();
    await opened.close();
  });
});
