import type { Scope } from '@stanza/contracts';
import { createContext, useContext } from 'react';
import type { Place } from './request.ts';
import type { Membership, Session } from './session.ts';

/** Who is signed in, and where they act. */
export interface Acting {
  session: Session;
  memberships: readonly Membership[];
  place: Place;
  organization: Membership;
  /** Whether the role or key has a scope in this place. The server decides; this only spares a refusal. */
  may: (scope: Scope) => boolean;
  role: string;
  /** Was a member until a moment ago: what is on the screen stays, and nothing can be done with it. */
  hasLeft: boolean;
  /** Who writes here: the id of the person, or what the key begins with. */
  author: string;
}

const context = createContext<Acting | undefined>(undefined);

/** Gives the screens below it who acts where. */
export const ActingProvider = context.Provider;

/** Who acts where; screens are shown only below its provider. */
export const useActing = (): Acting => {
  const acting = useContext(context);
  if (acting === undefined) throw new Error('the screen is outside of an organization');
  return acting;
};
