import { describe, expect, it } from '@jest/globals';
import * as engine from '@stanza/engine';
import { payloads } from '@stanza/engine/testing';
import fc from 'fast-check';
import {
  type Allowed,
  type Case,
  compareEngines,
  type Difference,
  differencesOf,
  exhibitCase,
  judge,
  messageCase,
} from './compare-engines.ts';
import { degenerateData } from './degenerate-data.ts';
import { baseCommit, type Gallery, type Generators, previousEngine } from './previous-engine.ts';

/**
 * What this engine makes differently from that of {@link baseCommit}, by collection, each with the reason. An entry says
 * what was wrong before; one that matches no difference any more fails.
 */
const allowed: Readonly<Record<'gallery' | 'corpus' | 'generated', readonly Allowed[]>> = {
  gallery: [
    {
      what: /^(approval|nps), no data, strict: refused now by value\.missing at \/.*\/interaction\//,
      reason: 'A strict run did not name what interactions alone read.',
    },
    {
      what: /^assistant-answer, (no data|every value null): (\/blocks\/\d\/elements\/1|\/text)$/,
      reason: 'A button whose list of those who may see it came out empty was shown to all.',
    },
    {
      what: /^(assistant-answer|case-overview|meeting-minutes|support-ticket), every value empty: no longer refused by value\.type at /,
      reason: 'An empty text that stands for an id refused the message, where a missing one did not.',
    },
    {
      what: /^(access-request|team-channels), every value null: no longer refused by value\.type at \/\d\/elements\/\d\/initial_/,
      reason: 'One id of a list that is null refused the message.',
    },
    {
      what: /^(changelog|lunch-order|on-call-digest|poll), every value null: \/blocks\//,
      before: /, |\n- \n- /,
      reason: 'Items of a list that are missing or empty were shown as separators alone.',
    },
    {
      what: /^case-overview, texts of marks: \/blocks\/2\/rows\/\d\/2\/element\/url$/,
      before: /%3C!.*\*d\*.*~f~/,
      reason:
        'The filter `encode` left marks that end an address or style a part of it where it stands in a text.',
    },
  ],
  corpus: [],
  generated: [
    {
      what: /^(6|184|299): (no longer refused by problems\.more|refused now by value\.missing) at /,
      reason: 'A path that is missing in each round of a loop was named in each, so that others were not.',
    },
    {
      what: /^(13|37|161): \//,
      reason: 'The filter `default` left an empty list or object as it is.',
    },
    {
      what: /^(51|136|228): \//,
      before: /<@>/,
      reason: 'A mention without its id was shown as its marks.',
    },
    {
      what: /^(45|108|13[456]|183|209|215|241): \//,
      before: /https:\/\/e\.com\/[^|]*\|>/,
      reason: 'A link whose label came out empty had nothing to be seen or pressed.',
    },
    {
      what: /^(19|52|107|114|182|192|238|241|261|285): \//,
      before: /, /,
      reason: 'Items of a list that are missing or empty were shown as separators alone.',
    },
    {
      what: /^(44|53|182|226|235): \/.*\/text$/,
      before: /^$/,
      reason: 'A link of rich text whose label came out empty was sent with an empty one.',
    },
    {
      what: /^(134|190): \/.*\/task_id$/,
      reason: 'All tasks that a loop made had one id.',
    },
    {
      what: /^134: \/.*\/block_id$/,
      before: /^x_/,
      reason: 'An id that stands once lost its name to one before it that stands twice.',
    },
    {
      what: /^(48|192): \//,
      before: /%26\*|^<!channel$/,
      reason:
        'The filter `encode` left marks that end an address or style a part of it where it stands in a text.',
    },
  ],
};

const galleryCases = ({ exhibits }: Gallery): Case[] =>
  exhibits.flatMap((exhibit) => [
    ...degenerateData(exhibit.data).map(([name, data]) => exhibitCase(exhibit, name, data)),
    exhibitCase(exhibit, 'no data, strict', {}, true),
  ]);

const corpusCases = (): Case[] =>
  (['valid', 'invalid'] as const).flatMap((kind) =>
    payloads(kind).map(({ file, ...payload }) => messageCase(`${kind}/${file}`, payload, {})),
  );

/** Templates of the tables of the previous engine. The seed keeps their numbers, which the table of differences names. */
const generatedCases = ({ soundTemplate, templateData }: Generators): Case[] =>
  fc
    .sample(fc.tuple(soundTemplate, templateData, fc.boolean()), { seed: 20_261_126, numRuns: 300 })
    .map(([blocks, data, strict], number) => messageCase(`${number}`, { blocks }, data, { strict }));

/** Few differences are read in full; the others by name. */
const shown = (differences: readonly Difference[]): unknown[] => [
  ...differences.slice(0, 10),
  ...differences.slice(10).map(({ what }) => what),
];

const previous = await previousEngine();

// The test runner says where there is no previous engine, and `payloads` where there is no corpus.
if (previous !== undefined) {
  const cases = {
    gallery: galleryCases(previous.gallery),
    corpus: corpusCases(),
    generated: generatedCases(previous.generators),
  };

  describe(`the engine of ${baseCommit.slice(0, 8)} and this one`, () => {
    const there = (['gallery', 'corpus', 'generated'] as const).filter((it) => cases[it].length > 0);

    it.each(there)('differ by what the table allows, and by all of it: %s', (name) => {
      const { unlisted, stale } = judge(compareEngines(previous.engine, engine, cases[name]), allowed[name]);
      expect(shown(unlisted)).toEqual([]);
      expect(stale).toEqual([]);
    });

    it('compile the gallery with its own data, and refuse some of the degenerate data', () => {
      const { exhibits } = previous.gallery;
      const outcomes = cases.gallery.map(({ compile }) => compile(previous.engine));
      expect(outcomes.filter((it) => 'made' in it).length).toBeGreaterThan(exhibits.length * 5);
      expect(outcomes.filter((it) => 'refused' in it).length).toBeGreaterThan(exhibits.length / 2);
    });
  });
}

describe('the comparison of two engines', () => {
  const made = (text: string) => ({ made: { blocks: [{ type: 'section', text }], text } });

  it('names each place of a message that differs, with what it was', () => {
    expect(differencesOf('hello, its own data', made('a'), made('b'))).toEqual([
      { what: 'hello, its own data: /blocks/0/text', before: 'a', after: 'b' },
      { what: 'hello, its own data: /text', before: 'a', after: 'b' },
    ]);
    expect(differencesOf('hello', made('a'), made('a'))).toEqual([]);
  });

  it('names the rules of what one engine refuses and the other does not', () => {
    const refused = { refused: ['value.form at /0/image_url', 'value.type at /1'] };
    const whats = (differences: readonly Difference[]) => differences.map(({ what }) => what);
    expect(whats(differencesOf('hello', made('a'), refused))).toEqual([
      'hello: refused now by value.form at /0/image_url',
      'hello: refused now by value.type at /1',
    ]);
    expect(whats(differencesOf('hello', refused, { refused: ['value.type at /1'] }))).toEqual([
      'hello: no longer refused by value.form at /0/image_url',
    ]);
  });

  it('finds a text that one of the engines writes otherwise', () => {
    const runProgram: typeof engine.runProgram = (...given) => {
      const result = engine.runProgram(...given);
      return result.ok ? { ...result, text: `${result.text}!` } : result;
    };
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];
    const hello = messageCase('hello', { blocks }, { name: 'Ada' });
    expect(compareEngines(engine, { ...engine, runProgram }, [hello])).toEqual([
      { what: 'hello: /text', before: 'Hello Ada', after: 'Hello Ada!' },
    ]);
  });

  it('reports what is not in the table, and entries of the table that allow nothing', () => {
    const differences = differencesOf('hello', made('a'), made('b'));
    const entries = [
      { what: /^hello: \/text$/, reason: 'It was a.' },
      { what: /^other/, reason: 'It was wrong.' },
      { what: /^hello/, before: /^a$/, after: /^c$/, reason: 'It was never c.' },
    ];
    const { unlisted, stale } = judge(differences, entries);
    expect(unlisted.map(({ what }) => what)).toEqual(['hello: /blocks/0/text']);
    expect(stale).toEqual(['^other: It was wrong.', '^hello: It was never c.']);
  });
});
