import { exhibits } from '@stanza/gallery/exhibits';
import { generatedHead } from './write-types.ts';

/** Where the command has the gallery. */
export const galleryFile = 'shared/cli/src/gallery.ts';

/** The gallery as one text of JSON, which is parsed when someone begins with a template of it. */
export const gallerySource = (): string => {
  const entries = exhibits.map(({ slug, kind, source, data }) => [slug, { kind, source, data }]);
  const text = JSON.stringify(JSON.stringify(Object.fromEntries(entries)));
  return `${generatedHead('shared/gallery')}
/** The gallery: by the name of each exhibit whether it is a message or a modal, its source and its data. */
export const gallery = ${text};
`;
};
