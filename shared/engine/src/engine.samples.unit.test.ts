import { describe, expect, it } from '@jest/globals';
import { findProblems } from '@stanza/sandbox/limits';
import { compile } from './testing/compile.ts';
import { samples } from './testing/samples.ts';

describe('messages from real life', () => {
  it.each(samples.map((sample) => [sample.name, sample] as const))('compile as expected: %s', (_, sample) => {
    const { template, data, options, expected } = sample;
    const result = compile(template, data, options);
    expect({ blocks: result.blocks, text: result.text, warnings: result.warnings }).toEqual(expected);
    expect(findProblems(result.blocks, 'message', '/blocks')).toEqual([]);
  });
});
