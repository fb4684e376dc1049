import { type ActivationPolicy, getOrganizationStatus, type Principal } from '@stanza/contracts';
import { type AnyHandler, handle, newId } from '@stanza/runtime';
import { somebody } from './world.ts';

/** The policy that the organization service answers; a test changes it. */
export interface Policy {
  activation: ActivationPolicy;
}

/** Answers for the organization service. */
export const organizationWith = (policy: Policy): AnyHandler =>
  handle(getOrganizationStatus, async () => ({ status: 'active' as const, activation: policy.activation }));

/** People and a key of one organization. */
export interface Colleagues {
  /** A key of Ada's. */
  key: Principal;
  ada: Principal;
  grace: Principal;
}

/** Makes two people of one organization, and a key of the first one. */
export const colleagues = (): Colleagues => {
  const key = somebody();
  const session = (user_id: string): Principal => ({
    ...key,
    actor: { type: 'session', id: `session-${user_id}`, user_id },
  });
  return { key, ada: session(key.actor.user_id ?? ''), grace: session(newId()) };
};
