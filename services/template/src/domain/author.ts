import type { Activation, Actor } from '@stanza/contracts';

/** Who is named as the author of a change: the person behind the key or session where there is one. */
export const authorOf = (actor: Actor): string => actor.user_id ?? actor.id;

/** How a change came in: people have sessions, programs have keys. */
export const sourceOf = (actor: Actor): Activation['source'] => (actor.type === 'session' ? 'web' : 'api');
