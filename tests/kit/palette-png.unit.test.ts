import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pixelsOf, withPalette } from './palette-png.ts';

const picture = join(import.meta.dirname, '../../docs/images/recipes/plurals.png');

describe('a picture with a palette', () => {
  it('keeps its size and its colours when it is made again', () => {
    const made = readFileSync(picture);
    expect(made[25]).toBe(3);
    const again = withPalette(made);
    expect(again.readUInt32BE(16)).toBe(made.readUInt32BE(16));
    expect(pixelsOf(again)).toEqual(pixelsOf(made));
  });
});
