import { describe, expect, it } from '@jest/globals';
import { attempt, compile, directive, section } from '../testing/compile.ts';

describe('a missing value', () => {
  it('is named once for a text that reads it twice, and once for each text', () => {
    const blocks = [section('{{a}} {{b}} {{a | upper}}'), section('x {{a}}')];
    expect(compile(blocks).warnings.map((it) => it.split(' ').slice(0, 2).join(' '))).toEqual([
      '/0/text/text: `a`',
      '/0/text/text: `b`',
      '/1/text/text: `a`',
    ]);
    expect(attempt(blocks, {}, { strict: true })).toMatchObject({
      problems: [{ pointer: '/0/text/text' }, { pointer: '/0/text/text' }, { pointer: '/1/text/text' }],
    });
  });

  it('is named once for a loop that reads the same in each round, and for each item that lacks it', () => {
    const blocks = [directive('#each', { path: 'list', children: [section('x {{a}} {{this.b}}')] })];
    const { warnings } = compile(blocks, { list: [{}, {}] });
    expect(warnings.map((it) => /`(.*?)`/.exec(it)?.[1])).toEqual(['a', 'list[0].b', 'list[1].b']);
  });
});
