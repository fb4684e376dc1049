import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Session, signOut } from '../api/session.ts';
import { forgetSettledDrafts } from '../browser-drafts.ts';
import { Button } from '../ui/button.tsx';
import styles from './sign-in.module.css';

/** Key of the tab's note that a person was signed in: a session that is gone then has ended by itself. */
export const signedIn = 'stanza.signed-in';

/** Reloads the page, which then knows nothing of the session. */
const signOutAndReload = async (): Promise<void> => {
  await signOut();
  forgetSettledDrafts();
  sessionStorage.removeItem(signedIn);
  window.location.assign('/console/');
};

/** Signs out. A failure is shown: people who leave the machine rely on it. */
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
