import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { type Choice, chosenStatus, type Side, type Sides, type Status, statusOf } from './compare.ts';

const side = (about: string, content = about): Side => ({ about, content });
const [a, b, c] = [side('a'), side('b'), side('c')];
const nobody: Choice = { mine: [], theirs: [] };

describe('the status of a template', () => {
  it.each<[Status | undefined, Side | undefined, Side | undefined, Side | undefined]>([
    // mine, theirs, base
    ['new', a, undefined, undefined],
    ['unchanged', a, a, a],
    ['unchanged', a, a, undefined],
    ['unchanged', b, b, a],
    ['changed', b, a, a],
    ['changed', side('a', 'b'), a, a],
    ['changed', side('b', 'a'), side('a', 'a'), side('a', 'a')],
    ['changed_there', a, b, a],
    ['changed_there', undefined, a, undefined],
    ['changed_there', a, undefined, a],
    ['gone', undefined, a, a],
    ['both', b, c, a],
    ['both', b, c, undefined],
    ['both', b, undefined, a],
    ['both', undefined, b, a],
    // One part here, the other there: a person looks at it.
    ['both', side('a', 'b'), side('b', 'a'), a],
    [undefined, undefined, undefined, a],
  ])('is %s', (status, mine, theirs, base) => {
    expect(statusOf({ mine, theirs, base })).toBe(status);
  });

  it('is unchanged in part where a killed push has written that part', () => {
    const [base, mine] = [side('a', 'a'), side('b', 'b')];
    expect(statusOf({ mine, theirs: side('a', 'b'), base })).toBe('changed');
    expect(statusOf({ mine, theirs: mine, base })).toBe('unchanged');
  });

  it('never lets a push or a pull overwrite what was changed on its other side', () => {
    const anySide = fc.option(
      fc.record({ about: fc.constantFrom('a', 'b', 'c'), content: fc.constantFrom('a', 'b') }),
      {
        nil: undefined,
      },
    );
    const isChanged = (one: Side | undefined, base: Side | undefined) =>
      one?.about !== base?.about || one?.content !== base?.content;
    fc.assert(
      fc.property(fc.record({ mine: anySide, theirs: anySide, base: anySide }), (sides: Sides) => {
        const status = statusOf(sides);
        const isSame = !isChanged(sides.mine, sides.theirs);
        // A push writes over theirs, part by part: no part of theirs differs from the base and from mine.
        if (status === 'changed' && !isSame)
          for (const part of ['about', 'content'] as const)
            expect([sides.base?.[part], sides.mine?.[part]]).toContain(sides.theirs?.[part]);
        if (status === 'changed_there')
          for (const part of ['about', 'content'] as const)
            expect([sides.base?.[part], sides.theirs?.[part], undefined]).toContain(sides.mine?.[part]);
        if (status === 'gone') expect(isChanged(sides.theirs, sides.base)).toBe(false);
      }),
      { numRuns: cases(500) },
    );
  });
});

describe('a chosen side', () => {
  const sides = { mine: b, theirs: c, base: a };

  it.each<[Status, Status, Partial<Choice>, Sides]>([
    ['both', 'both', {}, sides],
    ['both', 'changed', { mine: ['it'] }, sides],
    ['both', 'changed_there', { theirs: ['it'] }, sides],
    ['both', 'new', { mine: ['it'] }, { ...sides, theirs: undefined }],
    ['both', 'gone', { mine: ['it'] }, { ...sides, mine: undefined }],
    ['changed', 'changed_there', { theirs: ['it'] }, sides],
    ['changed_there', 'changed', { mine: ['it'] }, sides],
    ['unchanged', 'unchanged', { theirs: ['it'] }, sides],
    ['new', 'new', { theirs: ['it'] }, { ...sides, theirs: undefined, base: undefined }],
    ['both', 'both', { mine: ['another'] }, sides],
  ])('makes %s to %s for %j', (before, after, choice, given) => {
    expect(chosenStatus('it', before, given, { ...nobody, ...choice })).toBe(after);
  });
});
