import type { Activation, Actor } from '@stanza/contracts';

/** The origin of a change: people use sessions, programs use keys. */
export const sourceOf = (actor: Actor): Activation['source'] => (actor.type === 'session' ? 'web' : 'api');

/** Authors with one more, each once. */
export const withAuthor = (authors: readonly string[] | null, author: string): string[] => [
  ...new Set([...(authors ?? []), author]),
];
