import { describe, expect, it } from '@jest/globals';
import { mendedText } from './mended-text.ts';

describe('the remedy of a misspelt name', () => {
  it.each([
    ['a placeholder', 'Hello {{nam}}', 'nam', 'name', 'Hello {{name}}'],
    [
      'a placeholder, and not the same word',
      'service: {{service}}',
      'service',
      'services',
      'service: {{services}}',
    ],
    ['a placeholder, and no word that holds it', 'Update: {{dat}}', 'dat', 'date', 'Update: {{date}}'],
    ['its placeholder behind a longer name', '{{names}} {{nam}}', 'nam', 'name', '{{names}} {{name}}'],
    ['a placeholder that is not closed', 'nam {{nam', 'nam', 'name', 'nam {{name'],
    ['a filter', 'uper {{a | uper}}', 'uper', 'upper', 'uper {{a | upper}}'],
    ['a name with signs of its own', '{{a.cost}}', 'cost', 'cost$&', '{{a.cost$&}}'],
    ['a path', 'order.itms', 'itms', 'items', 'order.items'],
  ])('A misspelt name is mended %s', (_, text, given, name, mended) => {
    expect(mendedText(text, given, name)).toBe(mended);
  });
});
