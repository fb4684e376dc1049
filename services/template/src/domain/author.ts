import type { Activation, Actor } from '@stanza/contracts';

/** The origin of a change: people use sessions, programs use keys. */
export const sourceOf = (actor: Actor): Activation['source'] => (actor.type === 'session' ? 'web' : 'api');
