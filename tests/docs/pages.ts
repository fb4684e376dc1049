import { errorPage } from '@stanza/contracts';
import { natsUsersFile } from '@stanza/stack';
import { templatePage } from '../../services/compile/src/engine/schema/page.ts';
import { galleryPage } from '../gallery/page.ts';
import { configurationPage } from './configuration.ts';

/** Every file that is made from the code: pages of `docs/`, and what is deployed. */
export const generatedPages = (): Record<string, string> => ({
  'deploy/kubernetes/base/nats/users.conf': natsUsersFile(),
  'docs/configuration.md': configurationPage(),
  'docs/errors.md': errorPage(),
  'docs/gallery.md': galleryPage(),
  'docs/templates.md': templatePage(),
});
