import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Session } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { endSession } from './end-session.ts';
import styles from './sign-in.module.css';

/** Ends the session. Says where it could not: whoever leaves the machine relies on it. */
export const useSignOut = (say: (words: string) => void) =>
  useMutation({
    mutationFn: endSession,
    onError: ({ message }) => say(`You are still signed in. ${message}`),
  });

/** See {@link useSignOut}. */
export const SignOut = ({ say }: { say: (words: string) => void }) => {
  const ending = useSignOut(say);
  return (
    <Button look="quiet" busy={ending.isPending} onClick={() => ending.mutate()}>
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
