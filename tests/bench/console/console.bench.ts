import { createTemplate } from '@stanza/contracts';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { ConsolePage } from '../../browser/console/console-page.ts';
import { openConsoleWorld } from '../../browser/console/console-world.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { findChromium } from '../../runner/chromium.ts';
import { percentile } from '../beside.ts';
import { median } from '../figures.ts';
import { inTurns, type Measured, rowOf } from '../http-load.ts';
import { type BenchStack, onStack, onStackOf } from '../on-stack.ts';
import { blocks, data } from '../ordinary-message.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { keysToDrawn } from './key-to-drawn.ts';

const loads = { full: 15, check: 1 } as const;
const keys = { full: 200, check: 5 } as const;
const offRounds = { full: 8, check: 1 } as const;
const blockCount = 50;

const milliseconds = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

/** Milliseconds from the address to what is waited for, in a browser that has kept nothing but the session. */
const coldLoad = async (
  browser: Browser,
  session: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>,
  address: string,
  seen: (page: Page) => Promise<void>,
): Promise<number> => {
  const context = await browser.newContext({ storageState: session, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const begun = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await seen(page);
  const took = performance.now() - begun;
  await context.close();
  return took;
};

const inBrowser = async ({ stack, world }: BenchStack, mode: BenchMode): Promise<BenchRow[]> => {
  const browser = await launchChromium();
  try {
    const console = await openConsoleWorld(world);
    const base = stack.info.base_url;
    const place = `${base}/console/${console.id}/production/templates`;
    await liveTemplate(console.api, blocks);
    const opened = await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, [base]);
    await opened.signInAsOlivia(place);
    const session = await opened.page.context().storageState();

    const [cold, floor]: [number[], number[]] = [[], []];
    for (let round = 0; round < loads[mode]; round += 1) {
      floor.push(
        await coldLoad(browser, session, `${base}/openapi.json`, (page) => page.waitForLoadState('load')),
      );
      cold.push(
        await coldLoad(browser, session, place, async (page) => {
          await page.getByRole('table', { name: 'Templates' }).getByRole('link').first().waitFor();
          await page.getByRole('button', { name: 'New template' }).click({ trial: true });
        }),
      );
    }

    const section = (place: number) => ({
      type: 'section',
      text: { type: 'mrkdwn', text: `Line ${place} of {{service}}` },
    });
    const { id } = await console.api.ok(createTemplate, {
      body: {
        name: 'Fifty blocks',
        blocks: Array.from({ length: blockCount }, (_, place) => section(place)),
        sample_data: { service: 'billing' },
      },
    });
    await opened.page.goto(`${place}/${id}`);
    const preview = opened.page.getByRole('region', { name: 'Preview', exact: true });
    await preview.getByText('Line 0 of billing').first().click();
    await opened.page.getByRole('region', { name: 'Section fields' }).locator(':focus').waitFor();
    const drawn = await keysToDrawn(opened.page, '[data-leads]', keys[mode]);

    const bare = await browser.newPage();
    await bare.setContent(
      '<textarea oninput="document.querySelector(\'p\').textContent = this.value"></textarea><p></p>',
    );
    await bare.getByRole('textbox').focus();
    const floorDrawn = await keysToDrawn(bare, 'p', keys[mode]);

    return [
      {
        what: 'console: cold, from the address to a list that can be used',
        peer: 'floor: a document of the gateway without scripts',
        ours: milliseconds(median(cold)),
        theirs: milliseconds(median(floor)),
        ratio: median(cold) / median(floor),
        budget: '≤ 1.0 s',
        aim: '≤ 0.5 s',
        p50: milliseconds(median(cold)),
        p99: milliseconds(Math.max(...cold)),
      },
      {
        what: `console: key to drawn, ${blockCount} blocks, p95`,
        peer: 'floor: a text field whose text is written beside it',
        ours: milliseconds(percentile(drawn, 0.95)),
        theirs: milliseconds(percentile(floorDrawn, 0.95)),
        ratio: percentile(drawn, 0.95) / percentile(floorDrawn, 0.95),
        budget: '≤ 50 ms',
        aim: '≤ 16 ms',
        p50: milliseconds(median(drawn)),
        p99: milliseconds(percentile(drawn, 0.99)),
      },
    ];
  } finally {
    await browser.close();
  }
};

/** A compile at a gateway that serves the console, next to one that does not; each has a stack of its own. */
const besideOff = async (
  withConsole: BenchStack,
  without: BenchStack,
  mode: BenchMode,
): Promise<BenchRow[]> => {
  const targetOf = async ({ stack, world }: BenchStack) => {
    const credits = { credits: 100_000_000, tier: 'enterprise', connected: false } as const;
    const { key } = await (await world.newOrganization(credits)).key();
    const { id } = await liveTemplate(world.api.with(key), blocks);
    const url = `${stack.info.base_url}/v1/templates/compile`;
    return { id, target: { url, headers: { authorization: `Bearer ${key}` }, pids: stack.info.pids } };
  };
  const [on, off] = [await targetOf(withConsole), await targetOf(without)];
  const bodyOf = ({ id }: { id: string }) => JSON.stringify({ template_id: id, data });
  const [ours, theirs]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < offRounds[mode]; round += 1) {
    ours.push(...((await inTurns([on.target], bodyOf(on), 'check'))[0] ?? []));
    theirs.push(...((await inTurns([off.target], bodyOf(off), 'check'))[0] ?? []));
  }
  return [
    rowOf(ours, theirs, {
      what: 'POST /v1/templates/compile with the console on',
      peer: 'the same with STANZA_CONSOLE=off, on a stack of its own',
      budget: '≥ 0.98',
      aim: '≥ 1.0',
    }),
  ];
};

/** The console: how soon it can be used, how soon a key is drawn, and what it costs the API. */
export const consoleBench = async (mode: BenchMode = 'full'): Promise<BenchRow[]> => {
  const found = await findChromium();
  if ('lack' in found) {
    console.log(`  not run: ${found.lack}`);
    return [];
  }
  process.env.STANZA_CHROMIUM = found.path;
  return onStackOf(mode, {}, async (bench) => [
    ...(await inBrowser(bench, mode)),
    // A check, whose figures nobody reads, starts no second stack.
    ...(mode === 'check'
      ? await besideOff(bench, bench, mode)
      : await onStack({ env: { STANZA_CONSOLE: 'off' } }, (without) => besideOff(bench, without, mode))),
  ]);
};
