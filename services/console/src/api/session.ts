import { ApiError, type Place, request } from './request.ts';

/** Who is signed in. */
export type Session =
  | { kind: 'none' }
  | { kind: 'person'; email: string | null; subject: string }
  | { kind: 'key' };

/** An organization in which the signed-in person or key can act. */
export interface Membership {
  id: string;
  name: string;
  role: string;
}

/** Ways to sign in that this gateway offers. */
export interface SignInOptions {
  person: boolean;
  key: boolean;
}

const read = <T>(value: unknown, check: (value: Record<string, unknown>) => T): T => {
  if (typeof value !== 'object' || value === null) throw new TypeError('the answer is not an object');
  return check({ ...value });
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The session of the cookie. */
export const readSession = async (): Promise<Session> =>
  read(await request('GET', '/console/auth/session'), (it) => {
    if (it.kind === 'key') return { kind: 'key' };
    if (it.kind !== 'person') return { kind: 'none' };
    return {
      kind: 'person',
      email: typeof it.email === 'string' ? it.email : null,
      subject: text(it.subject),
    };
  });

/** What the sign-in page can offer. */
export const readSignInOptions = async (): Promise<SignInOptions> =>
  read(await request('GET', '/console/auth/options'), (it) => ({
    person: it.person === true,
    key: it.key === true,
  }));

/** The address at which a person signs in. */
export const signInAddress = (returnTo: string): string =>
  `/console/auth/sign-in?${new URLSearchParams({ return_to: returnTo })}`;

/** Exchanges an API key for a session. */
export const signInWithKey = async (key: string): Promise<void> => {
  await request('POST', '/console/auth/key', { body: { key } });
};

/** Ends the session on every gateway. */
export const signOut = async (): Promise<void> => {
  await request('POST', '/console/auth/sign-out');
};

/** The organizations of the person, or the one of the key. */
export const readMemberships = async (session: Session): Promise<Membership[]> => {
  if (session.kind === 'key') {
    const known = await request('GET', '/v1/auth/validate');
    return read(known, (it) => {
      const organization = read(it.organization, (found) => found);
      const user = read(it.user, (found) => found);
      return [{ id: text(organization.id), name: text(organization.name), role: text(user.role) }];
    });
  }
  const profile = await request('GET', '/v1/users/profile').catch((error: unknown) => {
    // Whoever has accepted no invitation yet is a member of nothing.
    if (error instanceof ApiError && error.code === 'profile_not_found') return {};
    throw error;
  });
  return read(profile, (it) =>
    (Array.isArray(it.organizations) ? it.organizations : []).map((one: unknown) =>
      read(one, (found) => ({ id: text(found.id), name: text(found.name), role: text(found.role) })),
    ),
  );
};

/** What names an invitation: its id, or the token of its mail. */
export type InvitationName = { invitation_id: string } | { token: string };

/** Who invites the person who is signed in, and as what. */
export const readInvitation = async (invitation: InvitationName): Promise<{ name: string; role: string }> =>
  read(await request('POST', '/v1/invitations/accept', { body: { ...invitation, dry_run: true } }), (it) => ({
    name: text(it.organization_name),
    role: text(it.role),
  }));

/** Accepts an invitation as the person who is signed in. Answers the organization. */
export const acceptInvitation = async (invitation: InvitationName): Promise<string> =>
  read(await request('POST', '/v1/invitations/accept', { body: invitation }), (it) =>
    text(it.organization_id),
  );

/** Who the caller is in a place and what they may do: the role of the person, and the scopes of the session or key. */
export const readRights = async (
  place: Place,
): Promise<{ author: string; role: string; scopes: string[]; environment: string }> =>
  read(await request('GET', '/v1/auth/validate', { place }), (it) => {
    const user = read(it.user, (found) => found);
    // A key has fewer scopes than its person, and an environment of its own.
    const token = read(it.token, (found) => found);
    const scopes = Array.isArray(token.scopes) ? token.scopes.filter((one) => typeof one === 'string') : [];
    return {
      author: text(token.key_prefix) || text(user.id),
      role: text(user.role),
      scopes,
      environment: text(token.environment) || place.environment,
    };
  });
