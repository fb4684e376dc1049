import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  appendTemplateVersion,
  createQueue,
  createScheduledMessage,
  getChatConnection,
  getTemplate,
  listTemplates,
  replaceTestTargets,
} from '@stanza/contracts';
import type { Api } from '../../kit/api.ts';
import { sharedByTests } from '../../kit/shared.ts';
import { waitFor } from '../../kit/wait.ts';
import { Author } from './author.ts';
import { ConsolePage, type Looks } from './console-page.ts';
import type { ConsoleBrowser } from './console-world.ts';

const run = promisify(execFile);
const channel = 'C0DEPLOYS';

/** Who travels, how the console is shown to them, and what happens on the way. */
export interface Journey {
  /** Opens a browser at a stack, with an organization for Olivia. */
  open: () => Promise<ConsoleBrowser>;
  looks: Looks;
  /** Default: one who has a mouse. */
  authorOf?: (opened: ConsolePage) => Author;
  /** Clicks, entries and keys that the whole journey takes. More than an author needs is a worse console. */
  maxInteractions?: number;
  /** Happens before the first step. */
  prepare?: (opened: ConsolePage) => Promise<void>;
  /** Whether requests may fail, which the browser then writes onto its console. */
  isDisturbed?: boolean;
  /** Happens in the middle of a step, after something was written. */
  inTheMiddleOf?: (step: number) => Promise<void>;
}

/**
 * Tests of an author who writes a template and makes it live. The steps build on one another: each begins where the
 * one before has ended.
 */
export const testJourney = (name: string, journey: Journey): void => {
  describe(name, () => {
    const shared = sharedByTests(journey.open);
    let author: Author;
    let templateId: string;
    let curl: string;
    let workspace: string;
    const { maxInteractions } = journey;
    const middleOf = async (step: number): Promise<void> => journey.inTheMiddleOf?.(step);

    beforeAll(async () => {
      const { browser, world, console, identityUrl } = shared();
      await console.api.ok(replaceTestTargets, {
        body: { targets: [{ channel_id: channel, description: 'Rehearsals' }] },
      });
      ({ workspace_id: workspace } = await console.api.ok(getChatConnection, {}));
      const origins = [world.api.base, identityUrl].map((url) => new URL(url).origin);
      const opened = await ConsolePage.open(browser, journey.looks, origins);
      await journey.prepare?.(opened);
      author = journey.authorOf?.(opened) ?? new Author(opened);
    });

    let failed: string | undefined;
    /** A step of the journey; where one has failed, those after it have nothing to begin with. */
    const step = (name: string, act: () => Promise<void>): void => {
      it(name, async () => {
        if (failed !== undefined) throw new Error(`the journey ended in “${failed}”`);
        failed = name;
        try {
          await act();
          failed = undefined;
        } finally {
          if (failed !== undefined) await author.opened.keepPicture('Journey failed');
        }
      });
    };
    const expectClean = async (where: string): Promise<void> => {
      await author.opened.keepPicture(`${name} ${where}`);
      if (journey.isDisturbed) author.opened.forgetFailedRequests();
      expect({ where, barriers: await author.opened.barriers(), ...author.opened.complaints }).toEqual({
        where,
        barriers: [],
        console: [],
        foreign: [],
      });
    };
    const api = (): Api => shared().console.api;
    /** What was posted for the author's organization: other tests use the channel as well. */
    const posted = async (): Promise<string[]> => {
      const all = await shared().world.sandbox.messages(channel);
      return all.map((it) => JSON.stringify(it)).filter((it) => it.includes(`"${workspace}"`));
    };
    /** Runs the line that the page offers, with a key of a program; answers the message that arrived. */
    const runLine = async (): Promise<string> => {
      const { stdout } = await run('sh', ['-c', curl], {
        env: { ...process.env, KEY: shared().console.key },
      });
      const sent: { message_ts?: string } = JSON.parse(stdout);
      expect(sent).toMatchObject({ success: true });
      return waitFor('the message of the line', async () =>
        (await posted()).find((it) => it.includes(`"${sent.message_ts}"`)),
      );
    };

    step('1: signs in, begins a blank one, names it; the focus stands in the first block', async () => {
      const { world, console } = shared();
      await author.page.goto(`${world.api.base}/console/${console.id}/production/templates`);
      await author.click(author.page.getByRole('link', { name: /sign-in/ }));
      await author.click(author.page.getByRole('button', { name: /^Continue as Olivia/ }).first());
      await author.region('First steps').getByText('1 of 5').waitFor();
      await author.beginBlank('Deploy alert of the journey');
      const first = author.region('Blocks').getByRole('button', { name: /^Section Hello/ });
      await first.waitFor();
      await author.seesFocusOn(first);
      const { data } = await api().ok(listTemplates, { query: {} });
      templateId = data[0]?.id ?? '';
      expect(data[0]?.key).toBe('deploy-alert-of-the-journey');
      await expectClean('1 begun');
    });

    step('2: adds a header whose placeholder is a required field of the data', async () => {
      await author.add('Header');
      await author.type('Deploy of {{service}}');
      const service = author.field('Service');
      await service.waitFor();
      expect(await service.getAttribute('aria-required')).toBe('true');
      await author.fill(service, 'billing');
      await author.seesDrawn('Deploy of billing');
      await expectClean('2 header');
    });

    step('3: repeats a section for each item of a new list, and tries the list', async () => {
      await author.click(author.page.getByRole('button', { name: /^Add block/ }));
      await author.choose('Repeat for each');
      await author.type('changes');
      const add = author.region('Data').getByRole('button', { name: 'Add item to Changes' });
      await author.click(add);
      await author.fill(author.field('Change 1'), 'Faster totals');
      await author.click(add);
      await author.fill(author.field('Change 2'), 'Refunds');
      await author.seesDrawn('• Refunds');
      await author.click(author.button('Longest text'));
      const warning = author
        .region('Problems')
        .getByRole('button', { name: /at most/ })
        .first();
      await warning.waitFor();
      await author.click(warning);
      await expectClean('3 list');
      await author.click(author.button('Empty lists'));
      await author.region('Preview').getByText('• Refunds').waitFor({ state: 'hidden' });
      await author.click(author.button('Back to your data'));
      await author.seesDrawn('• Refunds');
    });

    step('4: mends a misspelt placeholder with one press', async () => {
      await author.edit('Hello world', /^Section Hello/);
      await author.type(' from {{servce}}');
      const problem = author.region('Problems').getByRole('button', { name: /Did you mean service/ });
      await problem.waitFor();
      await author.click(author.button('Change to service'));
      await author.seesDrawn('from billing');
      await expectClean('4 mended');
    });

    step('5: finds all of it after a reload, and in every view; undo goes back', async () => {
      await middleOf(5);
      await author.seesKept();
      await author.page.reload();
      author.interactions += 1;
      await author.seesDrawn('from billing');
      const rows = author.region('Blocks').getByRole('listitem');
      await author.seesFocusOn(author.region('Blocks').getByRole('button', { name: /^Section Hello/ }));
      await author.key('Alt+ArrowDown');
      await rows.first().getByText('Header').waitFor();
      await author.click(author.page.getByRole('tab', { name: 'JSON' }));
      const json = author.page.getByRole('textbox', { name: 'Template as JSON' });
      await json.waitFor();
      await expectClean('5 JSON');
      await author.click(author.button('Undo'));
      await author.click(author.page.getByRole('tab', { name: 'Outline' }));
      await rows.first().getByText('Section').waitFor();
    });

    step('6: sends what is on the screen as a test, which the log marks', async () => {
      await author.click(author.button('Test send'));
      await author.click(author.button('Send'));
      await author.click(author.dialog().getByRole('link', { name: 'See it in the log' }));
      await author.page.getByRole('heading', { level: 1, name: 'Deploy alert of the journey' }).waitFor();
      await author.page.getByText('sent', { exact: true }).waitFor();
      await author.page.getByRole('term').filter({ hasText: 'Test' }).waitFor();
      expect((await posted()).filter((it) => it.includes('*world* from billing'))).toHaveLength(1);
      await expectClean('6 test');
      await author.click(author.page.getByRole('link', { name: 'Open in editor' }));
      await author.seesDrawn('from billing');
    });

    step('7: saves a version, makes it live, and gets lines that send it', async () => {
      await author.click(author.button('Make live'));
      await author.fill(author.page.getByLabel('Note'), 'with a header');
      await author.dialog().getByRole('heading', { name: 'No queue, schedule or key uses it yet' }).waitFor();
      await expectClean('7 make live');
      await author.click(author.dialog().getByRole('button', { name: 'Make live' }));
      await author.dialog().getByRole('heading', { name: 'Version 2 is live' }).waitFor();
      await author.button('Send it…').waitFor();
      await author.click(author.dialog().getByText('For programs'));
      const line = await author.dialog().getByRole('code').filter({ hasText: 'curl' }).innerText();
      curl = line.slice(line.indexOf('curl -s'));
      await expectClean('7 lines');
      await author.click(author.button('Done'));
      // What opened the dialog has no effect any more.
      await author.page.locator('main:focus, main :focus').waitFor();
      expect(await runLine()).toContain('Deploy of billing');
    });

    step('8: sees who uses it and what lacks a value, and writes a default', async () => {
      const { id: template_id } = await api().ok(getTemplate, { params: { id: templateId } });
      await api().ok(createQueue, {
        body: {
          name: 'Digest',
          mode: 'rolling_window',
          window_seconds: 600,
          template_id,
          channel_id: channel,
        },
      });
      await api().ok(createScheduledMessage, {
        body: {
          template_id,
          data: { service: 'api', name: 'Ada', changes: [] },
          channel_id: channel,
          cron: '0 9 * * 1-5',
          timezone: 'Europe/Berlin',
        },
      });
      await author.edit('from billing', /^Section Hello/);
      await author.type(' by {{owner}}');
      await middleOf(8);
      await author.seesKept();
      await author.click(author.button('Compare'));
      const changes = author.dialog().getByRole('list', { name: 'Changes' });
      await changes.getByText('Text', { exact: true }).waitFor();
      await author.click(author.button('Make live…'));
      await author.dialog().getByRole('heading', { name: 'Used by 1 schedule, 1 queue, 1 key' }).waitFor();
      const remedy = author.dialog().getByRole('button', { name: 'Write a default for owner' }).first();
      await remedy.waitFor();
      await expectClean('8 impact');
      await author.click(remedy);
      await remedy.waitFor({ state: 'hidden' });
      await author.click(author.dialog().getByRole('button', { name: 'Make live' }));
      await author.seesNoDialog();
      await author.page.getByText('version 3 live').waitFor();
      await expectClean('8 live');
    });

    step('9: is told what somebody else made live meanwhile, and nothing happens by itself', async () => {
      await author.edit('from billing', /^Section Hello/);
      await author.type(' now');
      await author.seesKept();
      await author.click(author.button('Make live'));
      await author
        .dialog()
        .getByRole('heading', { name: /^Used by/ })
        .waitFor();
      const params = { id: templateId };
      const theirs = await api().ok(appendTemplateVersion, {
        params,
        body: { blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Theirs' } }] },
      });
      await api().ok(activateTemplateVersion, { params: { ...params, version_id: theirs.id }, body: {} });
      await author.click(author.dialog().getByRole('button', { name: 'Make live' }));
      await author.dialog().getByText('Nothing has been changed by you').waitFor();
      expect((await api().ok(getTemplate, { params })).current_version_id).toBe(theirs.id);
      await author.click(author.button('Compare with the live version'));
      await author.dialog().getByText('Live: version 4').waitFor();
      await expectClean('9 meanwhile');
      await author.click(author.button('Cancel'));
    });

    step('10: goes back to an older version in three interactions', async () => {
      const before = author.interactions;
      await author.click(author.button('History'));
      const version = author.page.getByRole('listitem', { name: 'Version 2' });
      await author.click(version.getByRole('button', { name: 'Make live' }));
      await author.dialog().getByRole('list', { name: 'Changes' }).waitFor();
      await expectClean('10 rollback');
      await middleOf(10);
      await author.click(author.dialog().getByRole('button', { name: 'Make live' }));
      await author.seesNoDialog();
      expect(author.interactions - before).toBeLessThanOrEqual(3);
      expect(
        (await api().ok(getTemplate, { params: { id: templateId } })).current_version?.version_number,
      ).toBe(2);
      expect(await runLine()).not.toContain(' by ');
    });

    step('11: finds its messages in the log, and sees who would miss it before it is archived', async () => {
      await author.goTo('Messages');
      await author.select(author.page.getByLabel('Template'), 'Deploy alert of the journey');
      const log = author.page.getByRole('table', { name: 'Messages' });
      await author.click(log.getByRole('link', { name: 'Deploy alert of the journey' }).first());
      await author.page.getByRole('table', { name: 'Calls' }).waitFor();
      await author.page.getByText('version 2', { exact: true }).waitFor();
      await expectClean('11 message');
      await author.click(author.page.getByRole('link', { name: 'Open in editor' }));
      await author.click(author.button('Archive'));
      await author
        .dialog()
        .getByRole('heading', { name: /^Used by 1 schedule, 1 queue/ })
        .waitFor();
      await expectClean('11 archive');
      await author.click(author.dialog().getByRole('link', { name: 'Digest' }));
      await author.page.getByRole('heading', { level: 1, name: 'Digest' }).waitFor();
      if (maxInteractions !== undefined) expect(author.interactions).toBeLessThanOrEqual(maxInteractions);
    });
  });
};
