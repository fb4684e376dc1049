import { describe, expect, it } from '@jest/globals';
import { formOf } from './interaction-payload.ts';

const text = (value: string) => ({ type: 'plain_text_input', value });

describe('a form', () => {
  it('The form of an interaction has the input of each field, also of those that share an id', () => {
    const values = {
      one: { input: text('Ada') },
      two: { input: text('London') },
      three: { input_1: text('1815') },
      four: { input: text('maths') },
    };
    expect(formOf({ values })).toEqual({
      input: 'Ada',
      input_2: 'London',
      input_1: '1815',
      input_3: 'maths',
    });
  });

  it('A rich text that a person leaves empty counts as missing, as an empty text does', () => {
    const richText = (...elements: object[]) => ({
      type: 'rich_text_input',
      rich_text_value: { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
    });
    const entered = richText({ type: 'text', text: 'Ada' });
    const values = {
      one: { empty: richText(), text: { type: 'plain_text_input', value: null } },
      two: { entered },
    };
    expect(formOf({ values })).toEqual({ empty: null, text: null, entered: entered.rich_text_value });
  });
});
