import { describe, expect, it } from '@jest/globals';
import { placeWords, valueWords } from './change-words.ts';
import { rowsOf } from './rows.ts';

const approve = {
  type: 'button',
  text: { type: 'plain_text', text: 'Approve' },
  style: 'primary',
  interaction: [{ type: 'open_modal', modal_id: 'an id' }],
};
const blocks = [
  { type: 'section', text: { type: 'mrkdwn', text: 'Hello' }, fields: [{ type: 'mrkdwn', text: 'One' }] },
  { type: 'actions', elements: [approve] },
  { type: 'directive', directive: '#each', path: 'changes', children: [{ type: 'header', text: 'Hi' }] },
  { type: 'header', text: { type: 'plain_text', text: 'Title' }, mrkdwn: true },
];

describe('the place of a change', () => {
  it.each([
    ['/blocks/0/text/text', 'Text'],
    ['/blocks/0/text/type', 'Format of text'],
    ['/blocks/0/fields/0/text', 'Texts in two columns 1'],
    ['/blocks/0/fields', 'Texts in two columns'],
    ['/blocks/1/elements/0/text/text', 'Button Approve › Text'],
    ['/blocks/1/elements/0/interaction/0/modal_id', 'Button Approve › When it is pressed 1 › Modal'],
    ['/blocks/1/elements/0', 'Button Approve'],
    ['/blocks/2/path', 'List of the data'],
    ['/blocks/2/children/0/text', 'Header Hi › Text'],
  ])('%s has the words of the editor: %s', (pointer, words) => {
    expect(placeWords({ blocks }, rowsOf(blocks), pointer)).toBe(words);
  });
});

describe('a value of a change', () => {
  const names = new Map([['an id', 'Refund']]);
  it.each<[unknown, string, string]>([
    ['Hello', '/text/text', 'Hello'],
    ['mrkdwn', '/text/type', 'Formatted text'],
    ['danger', '/style', 'Danger'],
    [true, '/expand', 'yes'],
    [3, '/max_items', '3'],
    ['an id', '/interaction/0/modal_id', 'Refund'],
    [{ type: 'mrkdwn', text: 'One' }, '/fields/0', 'One'],
    [approve, '/elements/0', 'Button Approve'],
    [[{ type: 'mrkdwn', text: 'One' }], '/fields', 'One'],
  ])('%j is shown as people know it', (value, pointer, words) => {
    expect(valueWords(value, pointer, names)).toBe(words);
  });
});
