import { describe, expect, it } from '@jest/globals';
import { withDefault } from './defaults.ts';

const documentOf = (text: string, fallback_text = '') => ({
  fallback_text,
  blocks: [{ type: 'header', text }],
});
const changed = (text: string): unknown => withDefault(documentOf(text), 'owner', '–').blocks[0];

describe('a default for what may be missing', () => {
  it('is written into every placeholder of the path, before other filters', () => {
    expect(changed('by {{owner}} and {{ owner }}')).toEqual({
      type: 'header',
      text: 'by {{owner | default:"–"}} and {{owner | default:"–"}}',
    });
    expect(changed('{{owner | upper}}')).toEqual({ type: 'header', text: '{{owner | default:"–" | upper}}' });
    expect(withDefault(documentOf('', 'by {{owner}}'), 'owner', '"x"').fallback_text).toBe(
      String.raw`by {{owner | default:"\"x\""}}`,
    );
  });

  it('leaves other placeholders and those that have one', () => {
    const text = '{{owner.name}} {{owners}} {{owner | default:"nobody"}}';
    expect(changed(text)).toEqual({ type: 'header', text });
  });
});
