import { signOut } from '../api/session.ts';
import { forgetSettledDrafts } from '../browser-drafts.ts';

/** Where a tab keeps that somebody was signed in: a session that is gone then has ended by itself. */
export const signedIn = 'stanza.signed-in';

/** Ends the session on every gateway. The page begins anew, so that it knows nothing of the session any more. */
export const endSession = async (): Promise<void> => {
  await signOut();
  forgetSettledDrafts();
  sessionStorage.removeItem(signedIn);
  window.location.assign('/console/');
};
