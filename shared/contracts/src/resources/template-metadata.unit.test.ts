import { describe, expect, it } from '@jest/globals';
import { createTemplate, updateTemplate } from '../operations/templates.ts';
import { savedMetadata } from './template-metadata.ts';

const blocks = [{ type: 'divider' }];

describe('the name that messages of a template are posted under', () => {
  it.each([
    [
      'a new template',
      (user_name: string) => createTemplate.body?.safeParse({ name: 'a', blocks, user_name }),
    ],
    ['a change', (user_name: string) => updateTemplate.body?.safeParse({ user_name })],
    ['a draft that is saved', (user_name: string) => savedMetadata.safeParse({ user_name })],
  ])('is fixed text without placeholders: %s', (_, parse) => {
    expect(parse('Bot {1}')?.success).toBe(true);
    expect(parse('Bot {{v}}')?.error?.issues).toMatchObject([
      { path: ['user_name'], message: expect.stringContaining('is fixed text') },
    ]);
  });
});
