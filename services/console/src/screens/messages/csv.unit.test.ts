import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv.ts';

describe('a file for a spreadsheet', () => {
  it('says that it is UTF-8, has a line of names, and quotes what would end a cell', () => {
    expect(csvOf([{ template: 'Deploy, "big"', attempts: 2 }])).toBe(
      '\ufefftemplate,attempts\r\n"Deploy, ""big""",2\r\n',
    );
  });

  it('has no formulas', () => {
    expect(csvOf([{ template: '=HYPERLINK("x")', attempts: -1 }])).toBe(
      `\ufefftemplate,attempts\r\n"'=HYPERLINK(""x"")",-1\r\n`,
    );
  });
});
