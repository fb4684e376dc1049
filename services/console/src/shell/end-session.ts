import type { QueryClient } from '@tanstack/react-query';
import { signOut } from '../api/session.ts';

/** Ends the session on every gateway, and forgets what the page knows; the sign-in page follows. */
export const endSession = async (queries: QueryClient): Promise<void> => {
  await signOut();
  queries.clear();
  await queries.invalidateQueries({ queryKey: ['session'] });
};
