import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { Place } from '../api/request.ts';
import { type Membership, readMemberships, readRights, readSession, type Session } from '../api/session.ts';
import { type Acting, ActingProvider } from '../api/session-context.ts';
import { signedIn } from '../sign-in/end-session.ts';
import { SignIn } from '../sign-in/sign-in.tsx';
import { Outside } from '../sign-in/sign-out.tsx';
import { isKept } from '../ui/listing.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Shell } from './shell.tsx';

const nobody: Session = { kind: 'none' };

/** The organizations of the session. */
const useMemberships = (session: Session | undefined) =>
  useQuery({
    queryKey: ['memberships', session],
    queryFn: () => readMemberships(session ?? nobody),
    enabled: session !== undefined && session.kind !== 'none',
  });

const Waiting = () => (
  <main style={{ padding: 'var(--space-6)' }}>
    <Loading />
  </main>
);

/** Stands where nothing of an organization can be shown; another account may reach what this one does not. */
const Unreached = ({
  session,
  asked,
}: {
  session: Session;
  asked: { error: Error; refetch: () => unknown };
}) => (
  <Outside session={session}>
    <Failure error={asked.error} onRetry={() => void asked.refetch()} />
  </Outside>
);

/** Everything is below it: it asks who is signed in, and shows the sign-in page to one who is not. */
export const Entry = () => {
  const { pathname, searchStr } = useLocation();
  const session = useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 30_000 });
  const kind = session.data?.kind;
  useEffect(() => {
    if (kind === 'person' || kind === 'key') sessionStorage.setItem(signedIn, kind);
  }, [kind]);
  const queries = useQueryClient();
  useEffect(() => {
    // The next one to sign in may see less.
    if (kind === 'none') queries.removeQueries({ type: 'inactive' });
  }, [kind, queries]);
  // Who signs out wants to be told nothing of a session.
  const hasEnded = kind === 'none' && sessionStorage.getItem(signedIn) !== null;
  if (session.isError && !isKept(session)) {
    return (
      <main style={{ padding: 'var(--space-6)' }}>
        <Failure error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.data === undefined) return <Waiting />;
  if (session.data.kind === 'none') {
    return <SignIn returnTo={`/console${pathname}${searchStr}`} hasEnded={hasEnded} />;
  }
  return <Outlet />;
};

/** The start: leads to the templates of the first organization. */
export const Start = () => {
  const session = useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 30_000 });
  const memberships = useMemberships(session.data);
  if (memberships.isError && !isKept(memberships)) {
    return <Unreached session={session.data ?? nobody} asked={memberships} />;
  }
  if (memberships.data === undefined) return <Waiting />;
  const [first] = memberships.data;
  if (first === undefined) {
    return (
      <Outside session={session.data ?? nobody}>
        <h1>You are not a member of an organization yet</h1>
        <p>Ask an admin for an invitation, and open the link in its mail.</p>
      </Outside>
    );
  }
  return (
    <Navigate
      to="/$organization/$environment/$screen"
      params={{ organization: first.id, environment: 'production', screen: 'templates' }}
      replace
    />
  );
};

const environmentOf = (text: string): Place['environment'] => (text === 'preview' ? 'preview' : 'production');

const Inside = ({
  session,
  memberships,
  organization,
  environment,
}: {
  session: Session;
  memberships: readonly Membership[];
  organization: Membership;
  environment: Place['environment'];
}) => {
  const { id } = organization;
  const asked = useMemo<Place>(() => ({ organization: id, environment }), [id, environment]);
  const rights = useQuery({ queryKey: ['rights', asked, session], queryFn: () => readRights(asked) });
  const acting = useMemo<Acting | undefined>(() => {
    if (rights.data === undefined) return undefined;
    const place = { ...asked, environment: environmentOf(rights.data.environment) };
    return {
      session,
      memberships,
      place,
      organization,
      scopes: new Set(rights.data.scopes),
      role: rights.data.role,
      author: rights.data.author,
    };
  }, [rights.data, asked, session, memberships, organization]);
  if (rights.isError && !isKept(rights)) return <Unreached session={session} asked={rights} />;
  if (acting === undefined) return <Waiting />;
  return (
    <ActingProvider value={acting}>
      <Shell>
        <Outlet />
      </Shell>
    </ActingProvider>
  );
};

/** Screens of one organization and environment, which stand in the address; membership is checked by the server. */
export const OrganizationFrame = () => {
  const { organization: id, environment } = useParams({ from: '/$organization/$environment' });
  const session = useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 30_000 });
  const memberships = useMemberships(session.data);
  if (memberships.isError && !isKept(memberships)) {
    return <Unreached session={session.data ?? nobody} asked={memberships} />;
  }
  if (memberships.data === undefined || session.data === undefined) return <Waiting />;
  const organization = memberships.data.find((one) => one.id === id);
  if (organization === undefined) {
    return (
      <Outside session={session.data}>
        <h1>You are not a member of this organization</h1>
        <p>
          The address names an organization that you cannot act in. Perhaps it was shared by a colleague of
          another one.
        </p>
        {memberships.data.length > 0 && <a href="/console/">Your organizations</a>}
      </Outside>
    );
  }
  return (
    <Inside
      session={session.data}
      memberships={memberships.data}
      organization={organization}
      environment={environmentOf(environment)}
    />
  );
};
