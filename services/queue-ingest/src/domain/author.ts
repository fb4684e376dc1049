import type { Actor } from '@stanza/contracts';

/** Who is named as the author of a change: the person behind the key or session where there is one. */
export const authorOf = (actor: Actor): string => actor.user_id ?? actor.id;
