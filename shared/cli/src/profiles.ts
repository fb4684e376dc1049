import { mkdir, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { writeAtomically } from './files/write-atomically.ts';
import { CommandProblem } from './problem.ts';

/** The sign-in of a person, whose access token is the key of the profile. */
export interface Session {
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** When the access token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Where the person acts. */
  readonly organizationId: string;
  readonly environment: string;
}

/** Where and as whom commands are run. */
export interface Profile {
  readonly url: string;
  /** An API key, or the access token of a session. */
  readonly key: string;
  /** Undefined where it is a key. */
  readonly session?: Session;
}

/** What the file holds: entries that people or other versions have written are kept, and refused where they are named. */
type Profiles = Record<string, unknown>;

/** Variables of the environment, as far as the command reads them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The home of the user as the system knows it, where no variable says one. */
const homeOfUser = (): string | undefined => {
  try {
    return userInfo().homedir;
  } catch {
    // A user without an entry, as in a container; the caller says what to set.
    return undefined;
  }
};

/**
 * The folder of the profiles. A variable that is empty or relative counts as not set, as the XDG specification asks.
 * @throws CommandProblem where no folder is known
 */
export const profileFolder = (env: Environment, home = homeOfUser): string => {
  const { XDG_CONFIG_HOME: config = '', HOME = '' } = env;
  if (isAbsolute(config)) return join(config, 'stanza');
  const found = [HOME, home() ?? ''].find(isAbsolute);
  if (found !== undefined) return join(found, '.config', 'stanza');
  throw new CommandProblem(
    'The folder for profiles is not known.',
    'Set HOME or XDG_CONFIG_HOME to an absolute path, or set STANZA_URL and STANZA_KEY.',
  );
};

const fileOf = (env: Environment): string => join(profileFolder(env), 'profiles.json');

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const isSession = (value: unknown): value is Session => {
  const { clientId, tokenEndpoint, expiresAt, organizationId, environment } = Object(value);
  const texts = [clientId, tokenEndpoint, organizationId, environment];
  return texts.every((it) => typeof it === 'string') && typeof expiresAt === 'number';
};

/** Whether an entry of the file is a whole profile. */
export const isProfile = (value: unknown): value is Profile => {
  const { url, key, session } = Object(value);
  return typeof url === 'string' && typeof key === 'string' && (session === undefined || isSession(session));
};

const readProfiles = async (env: Environment): Promise<Profiles> => {
  try {
    const read: unknown = JSON.parse(await readFile(fileOf(env), 'utf8'));
    return Object.fromEntries(Object.entries(Object(read)));
  } catch (error) {
    if (isMissing(error)) return {};
    if (error instanceof CommandProblem) throw error;
    if (error instanceof SyntaxError)
      throw new CommandProblem(`${fileOf(env)} is not JSON.`, 'Delete it, and log in again.');
    throw new CommandProblem(
      `${fileOf(env)} cannot be read: ${Object(error).code ?? error}.`,
      'Correct its rights, or name another folder with XDG_CONFIG_HOME.',
    );
  }
};

const writeProfiles = async (env: Environment, profiles: Profiles): Promise<void> => {
  const file = fileOf(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeAtomically(file, `${JSON.stringify(profiles, null, 2)}\n`, 0o600);
};

/** Keeps a profile under a name, readable by its owner alone. */
export const saveProfile = async (env: Environment, name: string, profile: Profile): Promise<void> =>
  writeProfiles(env, { ...(await readProfiles(env)), [name]: profile });

/** Forgets a profile. @returns the one that there was */
export const removeProfile = async (env: Environment, name: string): Promise<unknown> => {
  const profiles = await readProfiles(env);
  if (!Object.hasOwn(profiles, name)) return undefined;
  const { [name]: removed, ...others } = profiles;
  await writeProfiles(env, others);
  return removed;
};

/** The address of a gateway as every command completes it: without the path of the interface, and slashes at its end. */
export const gatewayAt = (url: string): string => url.replace(/(\/v1)?\/*$/, '');

const profileNamed = async (env: Environment, name: string | undefined): Promise<Profile> => {
  // The secrets of pipelines, and files of variables from Windows, end with a line break.
  const [url, key] = [env.STANZA_URL?.trim(), env.STANZA_KEY?.trim()];
  if (name === undefined && url && key) return { url, key };
  // A saved profile in the place of the missing half could be that of another environment.
  if (name === undefined && (url || key))
    throw new CommandProblem(
      url ? 'STANZA_URL is set, and STANZA_KEY is not.' : 'STANZA_KEY is set, and STANZA_URL is not.',
      'Set both, or neither; --profile names a saved profile.',
    );
  const profiles = await readProfiles(env);
  const wanted = name ?? 'default';
  const found = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  if (isProfile(found)) return found;
  if (found !== undefined)
    throw new CommandProblem(
      `The profile ${wanted} in ${fileOf(env)} is not complete.`,
      `Run \`stanza login --profile ${wanted} --url <address>\`.`,
    );
  const known = Object.keys(profiles);
  const isNamed = name !== undefined || known.length > 0;
  throw new CommandProblem(
    isNamed
      ? `There is no profile ${wanted}${known.length > 0 ? `; there are ${known.join(', ')}` : ''}.`
      : 'No key is known.',
    `${known.length > 0 ? 'Name one with --profile, set' : 'Set'} STANZA_URL and STANZA_KEY, or run \`stanza login --url <address>\`.`,
  );
};

/**
 * The profile to act with: the one that is named, else that of the environment's variables, else the usual one.
 * @throws CommandProblem where there is none, or the variables are half a pair
 */
export const findProfile = async (env: Environment, name: string | undefined): Promise<Profile> => {
  const profile = await profileNamed(env, name);
  return { ...profile, url: gatewayAt(profile.url) };
};
