import { allKinds } from './kinds.ts';

/** What a word of the command names: `templates/` and the end of a file are left out, as a shell completes them. */
export const refIn = (word: string): string =>
  word
    .replace(/^\.\//, '')
    .replace(/^templates\//, '')
    .replace(/\/$|\.json$/, '');

/** A resource in a sentence. */
export const nameOf = (ref: string): string => {
  const [folder, key] = ref.split('/');
  const kind = allKinds.find((it) => it.folder === folder);
  return kind && key !== undefined ? `${kind.word} ${key}` : `template ${ref}`;
};
