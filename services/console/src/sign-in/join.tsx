import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { acceptInvitation, readSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/form.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { endSession } from './end-session.ts';
import styles from './sign-in.module.css';

/** The page that a link of an invitation leads to. It accepts by one press, as the person who is signed in. */
export const Join = () => {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const session = useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 30_000 });
  const { invitation, token } = search;
  const accepting = useMutation({
    mutationFn: () =>
      acceptInvitation(typeof token === 'string' ? { token } : { invitation_id: String(invitation) }),
    onSuccess: async (organization) => {
      await queries.invalidateQueries({ queryKey: ['memberships'] });
      await navigate({
        to: '/$organization/$environment/$screen',
        params: { organization, environment: 'production', screen: 'templates' },
      });
    },
  });
  if (session.data === undefined) return <Loading />;
  if (invitation === undefined && token === undefined) {
    return <Empty title="This link names no invitation">Ask for the whole link, or for another one.</Empty>;
  }
  const isPerson = session.data.kind === 'person';
  const leave = (
    <Button look="quiet" onClick={() => void endSession()}>
      Sign out
    </Button>
  );
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/console/icon.svg" alt="" width="40" height="40" />
        <h1>You are invited</h1>
        {session.data.kind === 'person' ? (
          <p className={styles.lead}>
            You are signed in as {session.data.email ?? session.data.subject}. The invitation holds for the
            address that it was sent to: with another one, sign out, and open the link again.
          </p>
        ) : (
          <p className={styles.lead}>
            You are signed in with a key. A person accepts an invitation: sign out, and open the link again.
          </p>
        )}
        <Problem error={accepting.error} />
        {isPerson && (
          <Button look="primary" busy={accepting.isPending} onClick={() => accepting.mutate()}>
            Accept the invitation
          </Button>
        )}
        {leave}
      </div>
    </main>
  );
};
