import { signOut } from '../api/session.ts';

/** Ends the session on every gateway. The page begins anew, so that it knows nothing of the session any more. */
export const endSession = async (): Promise<void> => {
  await signOut();
  window.location.assign('/console/');
};
