import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { readSignInOptions, signInAddress, signInWithKey } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import styles from './sign-in.module.css';

const KeyForm = ({ onDone }: { onDone: () => void }) => {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await signInWithKey(key.trim());
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        value={key}
        problem={problem}
        hint="The key is exchanged for a session and not kept. You can do what the key can do."
        onChange={({ target }) => setKey(target.value)}
      />
      <Button type="submit" look="primary" busy={isBusy}>
        Sign in with the key
      </Button>
    </form>
  );
};

/** The page of a visitor who is not signed in. */
export const SignIn = ({ returnTo, hasEnded }: { returnTo: string; hasEnded: boolean }) => {
  const queries = useQueryClient();
  const options = useQuery({ queryKey: ['sign-in-options'], queryFn: readSignInOptions });
  const [usesKey, showKeyForm] = useState(false);
  const isInvited = returnTo.startsWith('/console/join');
  const isKeyShown = usesKey || options.data?.person === false;
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/console/icon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Stanza</h1>
        <p className={styles.lead}>
          {isInvited
            ? 'Sign in to accept your invitation, with the e-mail address that it was sent to.'
            : 'Write message templates, send them, and see what became of each message.'}
        </p>
        {hasEnded && (
          <p role="status">
            Your session has ended. What you have written is kept; sign in, and go on where you were.
          </p>
        )}
        {options.isPending && <Loading lines={2} />}
        {options.isError && <Failure error={options.error} onRetry={() => void options.refetch()} />}
        {options.data?.person && (
          <a className={styles.provider} href={signInAddress(returnTo)}>
            Continue with your organization's sign-in
          </a>
        )}
        {options.data && !isKeyShown && (
          <Button look="quiet" onClick={() => showKeyForm(true)}>
            Use a key
          </Button>
        )}
        {options.data && isKeyShown && (
          <KeyForm onDone={() => void queries.invalidateQueries({ queryKey: ['session'] })} />
        )}
      </div>
    </main>
  );
};
