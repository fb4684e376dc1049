import { errorPage } from '@stanza/contracts';
import { templatePage } from '../../services/compile/src/engine/schema/page.ts';
import { galleryPage } from '../gallery/page.ts';

/** Every page of `docs/` that is made from the code, by its file. */
export const generatedPages = (): Record<string, string> => ({
  'docs/errors.md': errorPage(),
  'docs/gallery.md': galleryPage(),
  'docs/templates.md': templatePage(),
});
