import type { OwnOrganization } from '@stanza/sdk';
import { CommandProblem } from '../problem.ts';
import { isProfile, type Profile, removeProfile, saveProfile } from '../profiles.ts';
import type { Setting } from '../setting.ts';
import { findProvider, requirePrivate, revokeTokens } from '../sign-in/provider.ts';
import { signIn } from '../sign-in/sign-in.ts';
import type { AddCommand } from './command.ts';

interface Options {
  url: string;
  browser?: boolean;
  insecure?: boolean;
  organization?: string;
  environment: string;
}

const nameIn = ({ options }: Setting): string => options.profile ?? 'default';

const environments = ['production', 'preview'];

/** The organization that is named, or the only one. */
const chosen = (all: readonly OwnOrganization[], wanted: string | undefined): OwnOrganization => {
  const found = wanted === undefined ? all : all.filter(({ id, name }) => id === wanted || name === wanted);
  const [first] = found;
  if (first && found.length === 1) return first;
  const names = all.map(({ id, name }) => `${name} (${id})`).join(', ');
  throw new CommandProblem(
    first ? 'You belong to several organizations.' : 'You belong to no such organization.',
    names ? `Name one with --organization: ${names}.` : 'Ask an owner to invite you.',
  );
};

/** The profile of a person who signs in with their browser. */
const profileOfPerson = async (setting: Setting, options: Options): Promise<Profile> => {
  const { url, organization, environment } = options;
  if (!environments.includes(environment))
    throw new CommandProblem(`${environment} is no environment.`, `There are ${environments.join(', ')}.`);
  const provider = await findProvider(url);
  const { accessToken: key, ...tokens } = await signIn(provider, setting.terminal);
  const all: OwnOrganization[] = [];
  for await (const one of setting.client({ url, key }).users.profile.organizations.list()) all.push(one);
  const { clientId, tokenEndpoint, revocationEndpoint } = provider;
  const { id: organizationId } = chosen(all, organization);
  const endpoints = { clientId, tokenEndpoint, revocationEndpoint };
  return { url, key, session: { ...endpoints, ...tokens, organizationId, environment } };
};

/** The profile of a key, which is kept only where it is valid. */
const profileOfKey = async (setting: Setting, { url }: Options): Promise<Profile> => {
  const found = { url, key: (await setting.terminal.input()).trim() };
  if (found.key === '')
    throw new CommandProblem(
      'The input has no key.',
      'Give it one, as `stanza login --url <address> < key.txt`.',
    );
  await setting.client(found).auth.validate();
  return found;
};

/** `stanza login`. */
export const addLogin: AddCommand = (program, setting) =>
  program
    .command('login')
    .description('sign in with the browser, or save a key that is read from the input')
    .requiredOption('--url <address>', 'where the gateway answers')
    .option('--browser', 'sign in with the browser, as on a terminal')
    .option('--no-browser', 'read a key from the input, as without a terminal')
    .option('--insecure', 'send credentials unencrypted, to an address with http')
    .option('--organization <name>', 'by name or id, where you belong to several')
    .option('--environment <name>', environments.join(' or '), 'production')
    .action(async (options: Options) => {
      const own = setting();
      if (!options.insecure) requirePrivate(options.url);
      const isPerson = options.browser ?? own.terminal.ask !== undefined;
      const found = await (isPerson ? profileOfPerson(own, options) : profileOfKey(own, options));
      await saveProfile(own.terminal.env, nameIn(own), found);
      own.terminal.note(`the profile ${nameIn(own)} is kept`);
      if (own.options.json) own.show({ profile: nameIn(own) }, () => '');
    });

/** Ends the sign-in at the provider where that can be; the profile is forgotten in any case. */
const endSignIn = async ({ terminal }: Setting, { session }: Profile): Promise<boolean> => {
  if (!session) return false;
  try {
    const hasEnded = await revokeTokens(session, session.refreshToken);
    if (!hasEnded) terminal.note('the sign-in was not ended at the provider');
    return hasEnded;
  } catch (error) {
    terminal.note(`the sign-in was not ended at the provider: ${String(error)}`);
    return false;
  }
};

/** `stanza logout`. */
export const addLogout: AddCommand = (program, setting) =>
  program
    .command('logout')
    .description('delete the profile, and end its sign-in at the provider')
    .action(async () => {
      const own = setting();
      const removed = await removeProfile(own.terminal.env, nameIn(own));
      const ended = isProfile(removed) ? await endSignIn(own, removed) : false;
      own.terminal.note(removed !== undefined ? 'the profile is forgotten' : 'there was no such profile');
      const shown = { profile: nameIn(own), forgotten: removed !== undefined, signed_out: ended };
      if (own.options.json) own.show(shown, () => '');
    });
