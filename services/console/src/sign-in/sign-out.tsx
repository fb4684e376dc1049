import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Session, signOut } from '../api/session.ts';
import { forgetSettledDrafts } from '../browser-drafts.ts';
import { Button } from '../ui/button.tsx';
import styles from './sign-in.module.css';

/** Where a tab keeps that somebody was signed in: a session that is gone then has ended by itself. */
export const signedIn = 'stanza.signed-in';

/** The page begins anew, so that it knows nothing of the session any more. */
const signOutAndReload = async (): Promise<void> => {
  await signOut();
  forgetSettledDrafts();
  sessionStorage.removeItem(signedIn);
  window.location.assign('/console/');
};

/** Signs out. Says where it could not: whoever leaves the machine relies on it. */
export const useSignOut = (say: (words: string) => void) =>
  useMutation({
    mutationFn: signOutAndReload,
    onError: ({ message }) => say(`You are still signed in. ${message}`),
  });

/** See {@link useSignOut}. */
export const SignOut = ({ say }: { say: (words: string) => void }) => {
  const signingOut = useSignOut(say);
  return (
    <Button look="quiet" busy={signingOut.isPending} onClick={() => signingOut.mutate()}>
      Sign out
    </Button>
  );
};

/** A page outside of any organization. Whoever came with another account than they meant signs out here. */
export const Outside = ({ session, children }: { session: Session; children: ReactNode }) => {
  const [trouble, say] = useState<string>();
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/console/icon.svg" alt="" width="40" height="40" />
        {children}
        <p className={styles.lead}>
          You are signed in{' '}
          {session.kind === 'person' ? `as ${session.email ?? session.subject}` : 'with a key'}.
        </p>
        {trouble !== undefined && <p role="alert">{trouble}</p>}
        <SignOut say={say} />
      </div>
    </main>
  );
};
