import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { builtOf, checkout, type Edit, edited } from './edits.ts';
import { plants } from './plant.ts';

const edit: Edit = { file: 'services/one/src/a.ts', find: 'at >= due', replace: 'true' };

describe('an edit of the program', () => {
  it('replaces its text', () => {
    expect(edited('if (at >= due) run();', edit)).toBe('if (true) run();');
  });

  it('takes what it puts in by the letter', () => {
    expect(edited('where id = $1', { ...edit, find: '$1', replace: "$& $' $$" })).toBe("where id = $& $' $$");
  });

  it('is refused where its text is missing, and where it stands twice', () => {
    expect(() => edited('if (at > due) run();', edit)).toThrow(
      'services/one/src/a.ts does not hold: at >= due',
    );
    expect(() => edited('at >= due || at >= due', edit)).toThrow('holds more than once');
  });

  it('is made in what is built of its source', () => {
    expect(builtOf(edit.file)).toBe('services/one/dist/a.js');
  });
});

describe('the bugs that are planted', () => {
  const edits = Object.values(plants).flatMap((it) => it.edits ?? []);

  it.each(edits.map((it) => [it.file, it] as const))('are text of the sources: %s', (file, it) => {
    const text = readFileSync(join(checkout, file), 'utf8');
    expect(edited(text, it)).not.toBe(text);
  });
});
