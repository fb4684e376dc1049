import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { help } from './help.ts';

const docs = join(import.meta.dirname, '../../../../docs');

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));

describe('the help of the console', () => {
  it.each(Object.entries(help))(
    'leads from %s to a page, and a part of it, that is there',
    (_, [address]) => {
      const [page = '', anchor] = address.split('#');
      const file = join(docs, `${page}.md`);
      expect(existsSync(file)).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(readFileSync(file, 'utf8'))).toContain(anchor);
    },
  );
});
