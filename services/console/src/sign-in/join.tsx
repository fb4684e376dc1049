import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ApiError } from '../api/request.ts';
import { acceptInvitation, type InvitationName, readInvitation, readSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/form.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { withArticle } from '../ui/words.ts';
import styles from './sign-in.module.css';
import { Outside } from './sign-out.tsx';

/** Why an invitation cannot be accepted, for the person who was sent its link. */
const refusals: Readonly<Record<string, string>> = {
  not_found:
    'This invitation is for another e-mail address, or there is none. Sign out, and open the link again with the address that it was sent to.',
};

const Refused = ({ error, onRetry }: { error: Error; onRetry: () => void }) => {
  const known = error instanceof ApiError ? refusals[error.code] : undefined;
  if (known !== undefined) return <p role="alert">{known}</p>;
  const isFinal = error instanceof ApiError && (error.status === 403 || error.status === 409);
  return isFinal ? <Problem error={error} /> : <Failure error={error} onRetry={onRetry} />;
};

/** Names who invites, and accepts by one press. */
const Invited = ({ invitation }: { invitation: InvitationName }) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const read = useQuery({
    queryKey: ['invitation', invitation],
    queryFn: () => readInvitation(invitation),
    retry: false,
  });
  const accepting = useMutation({
    mutationFn: () => acceptInvitation(invitation),
    onSuccess: async (organization) => {
      await queries.invalidateQueries({ queryKey: ['memberships'] });
      await navigate({
        to: '/$organization/$environment/$screen',
        params: { organization, environment: 'production', screen: 'templates' },
      });
    },
  });
  if (read.isPending) return <Loading lines={2} />;
  if (read.isError) return <Refused error={read.error} onRetry={() => void read.refetch()} />;
  const { name, role } = read.data;
  return (
    <>
      <p>
        <strong>{name}</strong> invites you to join as {withArticle(role)}.
      </p>
      <Problem error={accepting.error} />
      <Button look="primary" busy={accepting.isPending} onClick={() => accepting.mutate()}>
        Accept the invitation
      </Button>
    </>
  );
};

/** The page that a link of an invitation leads to. It accepts by one press, as the person who is signed in. */
export const Join = () => {
  const { invitation, token }: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const session = useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 30_000 });
  if (session.data === undefined) return <Loading />;
  if (invitation === undefined && token === undefined) {
    return (
      <Outside session={session.data}>
        <h1>This link names no invitation</h1>
        <p>Ask for the whole link, or for another one.</p>
      </Outside>
    );
  }
  return (
    <Outside session={session.data}>
      <h1>You are invited</h1>
      {session.data.kind === 'person' ? (
        <Invited invitation={typeof token === 'string' ? { token } : { invitation_id: String(invitation) }} />
      ) : (
        <p className={styles.lead}>A person accepts an invitation: sign out, and open the link again.</p>
      )}
    </Outside>
  );
};
