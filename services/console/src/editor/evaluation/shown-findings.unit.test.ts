import { describe, expect, it } from '@jest/globals';
import { wrappers } from '../document/palette.ts';
import { evaluate } from './evaluate.ts';
import { type Finding, keyOf } from './findings.ts';
import { shownFindings } from './shown-findings.ts';

const now = new Date('2026-11-28T12:00:00Z');
const findingsOf = (blocks: readonly unknown[]) => evaluate({ blocks, data: {} }, now).findings;
const shown = (blocks: readonly unknown[], before: readonly Finding[] = []) =>
  shownFindings(findingsOf(blocks), { blocks }, { pointer: '/blocks/0', before: new Set(before.map(keyOf)) });

describe('the findings that are shown while a block is written', () => {
  it.each(wrappers.map((entry) => [entry.name, entry] as const))('is nothing of a new %s', (_, { make }) => {
    expect(shown([make(), { type: 'header', text: { type: 'plain_text', text: 'Title' } }])).toEqual([]);
  });

  it('names an empty field once its form was left, and from then on', () => {
    const blocks = [{ type: 'directive', directive: '#each', path: '', children: [] }];
    const findings = findingsOf(blocks);
    expect(findings).toMatchObject([{ kind: 'problem', pointer: '/blocks/0/path' }]);
    expect(shownFindings(findings, { blocks }, undefined)).toEqual(findings);
    expect(shown(blocks, findings)).toEqual(findings);
  });

  it('names a wrong text at once, and problems of other blocks', () => {
    const wrong = { type: 'directive', directive: '#each', path: 'a b', children: [] };
    expect(shown([wrong])).toMatchObject([{ pointer: '/blocks/0/path' }]);
    const empty = { ...wrong, path: '' };
    expect(shown([{ type: 'divider' }, empty])).toMatchObject([{ pointer: '/blocks/1/path' }]);
  });
});
