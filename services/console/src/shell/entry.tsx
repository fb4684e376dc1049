import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { ApiError, type Place } from '../api/request.ts';
import { type Membership, readMemberships, readRights, readSession, type Session } from '../api/session.ts';
import { type Acting, ActingProvider } from '../api/session-context.ts';
import { sweepDrafts } from '../browser-drafts.ts';
import { SignIn } from '../sign-in/sign-in.tsx';
import { Outside, signedIn } from '../sign-in/sign-out.tsx';
import { isKept } from '../ui/listing.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { isModalEntered, useIsModalOpen } from '../ui/use-modal.ts';
import { Shell } from './shell.tsx';

const nobody: Session = { kind: 'none' };

/** Who is signed in. What is entered in a dialog waits for another session, which may begin in another tab. */
const useSession = () => {
  const read = useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 30_000 });
  const isOpen = useIsModalOpen();
  const [last, keep] = useState<Session>();
  if (read.data !== undefined && read.data.kind !== 'none' && read.data !== last) keep(read.data);
  const waits = isOpen && read.data?.kind === 'none' && last !== undefined && isModalEntered();
  return waits ? { ...read, data: last } : read;
};

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
  read,
}: {
  session: Session;
  read: { error: Error; refetch: () => unknown };
}) => (
  <Outside session={session}>
    <Failure error={read.error} onRetry={() => void read.refetch()} />
  </Outside>
);

/** Everything is below it: it asks who is signed in, and shows the sign-in page to one who is not. */
export const Entry = () => {
  const { pathname, searchStr } = useLocation();
  const session = useSession();
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
  const session = useSession();
  const memberships = useMemberships(session.data);
  if (memberships.isError && !isKept(memberships)) {
    return <Unreached session={session.data ?? nobody} read={memberships} />;
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

/** Who acts where, as it was until a dialog is closed: what is entered there would go with the button that opened it. */
const useUnlessOpen = (latest: Acting | undefined): Acting | undefined => {
  const isOpen = useIsModalOpen();
  const [shown, show] = useState(latest);
  const isSamePlace =
    shown?.place.organization === latest?.place.organization &&
    shown?.place.environment === latest?.place.environment;
  const waits = isOpen && isSamePlace;
  if (!waits && shown !== latest) show(latest);
  return waits ? shown : latest;
};

const Inside = ({
  session,
  memberships,
  organization,
  environment,
  isGone,
}: {
  session: Session;
  memberships: readonly Membership[];
  organization: Membership;
  environment: Place['environment'];
  /** The organization is none of the person's any more. */
  isGone: boolean;
}) => {
  const { id } = organization;
  const wanted = useMemo<Place>(() => ({ organization: id, environment }), [id, environment]);
  const rights = useQuery({ queryKey: ['rights', wanted, session], queryFn: () => readRights(wanted) });
  const hasLeft = isGone || (rights.error instanceof ApiError && rights.error.status === 403);
  const latest = useMemo<Acting | undefined>(() => {
    if (rights.data === undefined) return undefined;
    const scopes = new Set<string>(hasLeft ? [] : rights.data.scopes);
    const place = { ...wanted, environment: environmentOf(rights.data.environment) };
    return {
      session,
      memberships,
      place,
      organization,
      may: (scope) => scopes.has(scope),
      role: hasLeft ? 'not a member' : rights.data.role,
      author: rights.data.author,
      hasLeft,
    };
  }, [rights.data, wanted, session, memberships, organization, hasLeft]);
  const acting = useUnlessOpen(latest);
  const author = rights.data?.author;
  useEffect(() => {
    if (author !== undefined)
      sweepDrafts({ author, organizations: memberships.map((it) => it.id) }, Date.now());
  }, [author, memberships]);
  if (rights.isError && rights.data === undefined) return <Unreached session={session} read={rights} />;
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
  const session = useSession();
  const memberships = useMemberships(session.data);
  const [last, keep] = useState<Membership>();
  if (memberships.isError && !isKept(memberships)) {
    return <Unreached session={session.data ?? nobody} read={memberships} />;
  }
  if (memberships.data === undefined || session.data === undefined) return <Waiting />;
  const found = memberships.data.find((one) => one.id === id);
  if (found !== undefined && found !== last) keep(found);
  // Whoever was a member until now keeps what is on the screen: it may be written and not saved.
  const organization = found ?? (last?.id === id ? last : undefined);
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
      memberships={found ? memberships.data : [...memberships.data, organization]}
      organization={organization}
      isGone={found === undefined}
      environment={environmentOf(environment)}
    />
  );
};
