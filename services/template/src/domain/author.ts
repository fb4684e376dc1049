import type { Activation, Actor } from '@stanza/contracts';

/** The origin of a change: people use sessions, programs use keys. */
export const sourceOf = (actor: Actor): Activation['source'] => (actor.type === 'session' ? 'web' : 'api');

/** Authors with more of them, each once. */
export const withAuthors = (authors: readonly string[] | null, ...more: readonly string[]): string[] => [
  ...new Set([...(authors ?? []), ...more]),
];

/** Who has written a version: the authors of its draft or of what it was copied from, and whoever saved it. */
export const authorsOf = ({
  authors,
  created_by,
}: {
  readonly authors: string[] | null;
  readonly created_by: string;
}): string[] => withAuthors(authors, created_by);

/** Who has written the settings of a template or a modal, which become live with its first version. */
export const authorsOfSettings = ({
  settings_authors,
  created_by,
}: {
  readonly settings_authors: string[] | null;
  readonly created_by: string;
}): string[] => settings_authors ?? [created_by];
