import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testStack } from '@stanza/test-kit/database';
import type { Locator } from 'playwright-core';
import { root } from '../docs/markdown.ts';
import { runPage } from '../docs/run-page.ts';
import { openBrowserWorld } from '../kit/browser-world.ts';
import { withPalette } from '../kit/palette-png.ts';
import { answersIn } from '../kit/readme.ts';
import { sharedByTests } from '../kit/shared.ts';

/** The pictures, each with the place of its message among the answers of the README's commands. */
const pictures = [
  { name: 'first-message', what: 'the first message', answer: 2 },
  { name: 'living-message', what: 'the message of a deploy after its three calls', answer: 5 },
] as const;

const maxBytes = 150_000;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

describe('the picture in the README', () => {
  const own = sharedByTests(openBrowserWorld);

  /** What the commands of the README answered, which run once for all pictures. */
  const answers = sharedByTests(async () => {
    const organization = await own().world.newOrganization();
    const { key } = await organization.key();
    const values = { KEY: key, API: own().world.api.base };
    const stackDirectory = dirname(process.env.STANZA_TEST_STACK ?? '');
    const { output } = await runPage('README.md', { values, stackDirectory });
    return { given: answersIn(output), close: async () => undefined };
  });

  /** The timestamp of an answered message on the platform. */
  const timestampOf = async (answer: number): Promise<string> => {
    const { message_id } = Object(answers().given[answer]);
    const posted = await own().world.sandbox.messages('C0DEPLOYS');
    const message = posted.find((it) => it.key === message_id);
    if (message === undefined) throw new Error(`the sandbox has no message ${message_id}`);
    return message.ts;
  };

  /** The message as the sandbox's page shows it, twice as fine as a screen, without what differs from run to run. */
  const shown = async (ts: string): Promise<Locator> => {
    const page = await own().browser.newPage({
      viewport: { width: 500, height: 800 },
      deviceScaleFactor: 2,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await page.goto(testStack().sandbox_url);
    const message = page.locator(`[data-channel="C0DEPLOYS"][data-ts="${ts}"]`);
    await message.waitFor({ state: 'visible' });
    await page.evaluate(`for (const part of document.querySelectorAll('.workspace, .posted')) part.remove()`);
    return message;
  };

  it.each(pictures)('shows what the commands of the README post: $what', async ({ name, answer }) => {
    const picture = join(root, `docs/images/${name}.png`);
    // What is drawn on the picture; fonts change its pixels from machine to machine, not its words.
    const words = join(root, `docs/images/${name}.txt`);
    const message = await shown(await timestampOf(answer));
    const drawn = `${await message.innerText()}\n`;
    const image = await message.screenshot({ type: 'png', animations: 'disabled' });
    if (process.env.STANZA_SCREENSHOTS === 'write') {
      await writeFile(picture, withPalette(image));
      await writeFile(words, drawn);
    }
    expect(drawn).toBe(await readFile(words, 'utf8'));
    for (const made of [image, await readFile(picture)]) {
      expect(made.subarray(0, 8)).toEqual(pngSignature);
      expect(made.length).toBeLessThan(maxBytes);
    }
  });
});
