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

  it('finds a quoted key in whatever quotes it is written', () => {
    const document = documentOf(`{{["First Name"]}} {{['First Name'] | upper}} {{this["First Name"]}}`);
    expect(withDefault(document, '["First Name"]', '–').blocks[0]).toMatchObject({
      text: `{{["First Name"] | default:"–"}} {{['First Name'] | default:"–" | upper}} {{this["First Name"]}}`,
    });
  });

  it('leaves other placeholders and those that have one', () => {
    const text = '{{owner.name}} {{owners}} {{owner | default:"nobody"}}';
    expect(changed(text)).toEqual({ type: 'header', text });
  });
});
