import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillIds } from '@stanza/engine';
import { nativeMessages, soundTemplate, templateData } from '@stanza/engine/testing';
import { messages } from '@stanza/gallery/exhibits';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { corpusSamples } from '@stanza/sandbox/testing/corpus';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import type { Api } from '../../kit/api.ts';
import { type Given, type PageAnswer, runInPage } from '../../kit/page-engine.ts';
import { foundIn, openWorld, type World } from '../../kit/stack.ts';

/** Requests of one organization: it may make 300 previews a minute. */
const maxOfOne = 250;
/** Requests at a time. */
const atOnce = 8;

const isBlock = (value: unknown): value is { type: string } =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Ids that are left out are made by chance at the server, so both sides are given the same. */
const withIds = (blocks: readonly unknown[]): unknown[] => {
  let count = 0;
  return blocks.map((block) => (isBlock(block) ? fillIds([block], () => `id-${++count}`)[0] : block));
};

/** What travels as JSON: a text with half of a character cannot. */
const asSent = (given: Given): Given => {
  const text = JSON.stringify({ ...given, blocks: withIds(given.blocks) });
  return JSON.parse(text.replaceAll(/\\u(?:d[89a-f][0-9a-f]{2}|0000)/gi, ''));
};

describe('the engine in the page, beside the server', () => {
  let world: World;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    world = await openWorld();
    page = await browser.newPage();
    await page.goto(`${world.api.base}/console/`);
    await page.getByRole('button', { name: 'Use a key' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** What the server answers, in the form of the page. */
  const askServer = async (
    api: Api,
    { blocks, data, locale, timezone, strict }: Given,
  ): Promise<PageAnswer> => {
    const answer = await api.post('/v1/templates/preview', { blocks, data, locale, timezone, strict });
    if (answer.status === 200) {
      return { output: answer.text.replace('{"success":true,', '{'), problems: [] };
    }
    const { error_details: details }: { error_details?: string } = JSON.parse(answer.text);
    if (details === undefined) throw new Error(`refused before it was compiled: ${answer.text}`);
    const problems: PageAnswer['problems'] = JSON.parse(details);
    return { output: undefined, problems: problems.map(({ pointer, message }) => ({ pointer, message })) };
  };

  const expectSame = async (given: readonly Given[]): Promise<{ made: number; refused: number }> => {
    const sent = given.map(asSent);
    const inPage = await runInPage(page, sent);
    for (let start = 0; start < sent.length; start += maxOfOne) {
      const { api } = await foundIn(world, { connected: false });
      const part = sent.slice(start, start + maxOfOne);
      for (let at = 0; at < part.length; at += atOnce) {
        const answers = await Promise.all(part.slice(at, at + atOnce).map((one) => askServer(api, one)));
        const shown = inPage.slice(start + at, start + at + answers.length);
        expect({ at: start + at, answers: shown }).toEqual({ at: start + at, answers });
      }
    }
    const made = inPage.filter(({ output }) => output !== undefined).length;
    return { made, refused: inPage.length - made };
  };

  it('makes the same of the gallery, byte for byte', async () => {
    const given = messages.map(({ source: { blocks, locale, timezone }, data }) => ({
      blocks,
      data,
      ...(locale !== undefined && { locale }),
      ...(timezone !== undefined && { timezone }),
    }));
    expect(await expectSame(given)).toEqual({ made: messages.length, refused: 0 });
  });

  it('says the same of data that are missing, with the same places', async () => {
    const strict = messages.map(({ source: { blocks } }) => ({ blocks, data: {}, strict: true }));
    const { refused } = await expectSame(strict);
    expect(refused).toBeGreaterThan(0);
  });

  it('makes the same of native messages, and of the payloads of the corpus where it lies beside the project', async () => {
    const payloads = [...corpusSamples('valid'), ...corpusSamples('invalid')].flatMap(({ blocks }) =>
      Array.isArray(blocks) && blocks.every(isBlock) ? [{ blocks, data: {} }] : [],
    );
    const own = Object.values(nativeMessages).map((blocks) => ({ blocks, data: {} }));
    const { made } = await expectSame([...own, ...payloads]);
    expect(made).toBeGreaterThanOrEqual(own.length);
  });

  it('makes the same of generated templates with generated data', async () => {
    const generated = fc.sample(fc.record({ blocks: soundTemplate, data: templateData }), cases(1_000));
    const { made } = await expectSame(generated);
    expect(made).toBeGreaterThan(generated.length / 2);
  });
});
