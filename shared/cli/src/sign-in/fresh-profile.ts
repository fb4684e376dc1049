import { setTimeout as pause } from 'node:timers/promises';
import { type Environment, findProfile, type Profile, type Session, saveProfile } from '../profiles.ts';
import { renewTokens, SignInEnded } from './provider.ts';

/** Milliseconds before its end from which a token is renewed: a request that is made with it arrives in time. */
const marginMs = 60_000;
/** How often, and after how many milliseconds each, the tokens of another command are looked for. */
const polls = { count: 10, pauseMs: 200 };

/** Whether the key of a profile still counts for a while. */
export const isFresh = ({ session }: Profile): boolean =>
  session === undefined || session.expiresAt - Date.now() > marginMs;

/** A refresh token works once: another command on this machine may have used it a moment ago. */
const ofAnother = async (env: Environment, name: string | undefined, used: string): Promise<Profile> => {
  for (let look = 0; look < polls.count; look += 1) {
    const profile = await findProfile(env, name);
    if (profile.session?.refreshToken !== used && isFresh(profile)) return profile;
    await pause(polls.pauseMs);
  }
  throw new SignInEnded();
};

const renewed = async (profile: Profile, session: Session, refreshToken: string): Promise<Profile> => {
  const tokens = await renewTokens(session, refreshToken);
  const { accessToken, ...rest } = tokens;
  return { ...profile, key: accessToken, session: { ...session, ...rest } };
};

/**
 * The profile to act with, see `findProfile`; the tokens of a session are renewed before they end, and kept.
 * @throws SignInEnded where the provider renews them no more
 */
export const freshProfile = async (env: Environment, name: string | undefined): Promise<Profile> => {
  const profile = await findProfile(env, name);
  const { session } = profile;
  if (!session || isFresh(profile)) return profile;
  const { refreshToken } = session;
  if (refreshToken === undefined) throw new SignInEnded();
  try {
    const fresh = await renewed(profile, session, refreshToken);
    await saveProfile(env, name ?? 'default', fresh);
    return fresh;
  } catch (error) {
    if (error instanceof SignInEnded) return ofAnother(env, name, refreshToken);
    throw error;
  }
};

/** Headers by which a profile acts; those of a session say where. */
export const headersFor = ({ key, session }: Profile): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  ...(session && {
    'x-stanza-organization': session.organizationId,
    'x-stanza-environment': session.environment,
  }),
});
