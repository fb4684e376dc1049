import { describe, expect, it } from '@jest/globals';
import { problemsOf, section, written } from '../testing/compile.ts';

const line = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const words = (text: string) => ({ type: 'text', text });

/** What a person has entered into a rich text input, as the platform reports it. */
const note = {
  type: 'rich_text',
  elements: [
    line(
      words('Ask '),
      { type: 'user', user_id: 'U0ADA' },
      words(' in '),
      { type: 'channel', channel_id: 'C0OPS' },
      words('\n'),
    ),
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: [line(words('<one>')), line({ type: 'emoji', name: 'tada' })],
    },
    {
      type: 'rich_text_list',
      style: 'ordered',
      elements: [line({ type: 'link', url: 'https://example.com' })],
    },
    { type: 'rich_text_quote', elements: [{ type: 'link', url: 'https://example.com', text: 'a link' }] },
    { type: 'rich_text_preformatted', elements: [words('x = 1')] },
  ],
};

describe('a rich text in the data', () => {
  it('A placeholder shows the words of a rich text, which take no effect', () => {
    expect(written('{{note}}', { note })).toBe(
      'Ask @U0ADA in #C0OPS\n• &lt;one&gt;\n• :tada:\n1. https://example.com\na link\nx = 1',
    );
  });

  it('Filters over texts take the words of a rich text', () => {
    expect(written('{{note | upper | truncate:9}}', { note })).toBe('ASK @U0A…');
  });

  it('The filter `json` keeps a rich text whole', () => {
    expect(written('{{note | json | truncate:20}}', { note })).toBe('{"type":"rich_text"…');
  });

  it('An object of another kind, or without elements, is no text still', () => {
    for (const other of [{ type: 'rich_text' }, { type: 'text', elements: [] }]) {
      expect(problemsOf([section('a {{other}}')], { other })).toMatchObject([{ rule: 'value.object' }]);
    }
  });
});
