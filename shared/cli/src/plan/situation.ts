import { nearestName } from '@stanza/engine';
import type { Stanza, TemplateProposal, ValidatedToken } from '@stanza/sdk';
import { type Lock, readLock } from '../files/lock-file.ts';
import type { Project } from '../files/project.ts';
import { CommandProblem } from '../problem.ts';
import type { Access, Kind, LocalResource, RemoteResource } from '../resources/kind.ts';
import { isBeforeTemplates } from '../resources/kinds.ts';
import { readThere } from '../resources/read-there.ts';
import { kindsOf, readResources } from '../resources/resource-files.ts';
import { Variables } from '../resources/variables.ts';
import { nameOf, refIn } from '../resources/wanted.ts';
import type { Setting } from '../setting.ts';
import { type Names, readNames } from '../templates/names.ts';
import { type RemoteTemplate, readRemotes } from '../templates/remote.ts';
import { type LocalTemplate, readFolders } from '../templates/template-files.ts';

/** Files, API and base state, as a command finds them. */
export interface Situation {
  readonly project: Project;
  readonly stanza: Stanza;
  readonly validated: ValidatedToken;
  /** Names the organization and environment in the base state. */
  readonly environment: string;
  readonly names: Names;
  readonly lock: Lock;
  readonly locals: ReadonlyMap<string, LocalTemplate>;
  readonly remotes: ReadonlyMap<string, RemoteTemplate>;
  /** What the other kinds work with, their files among it. */
  readonly access: Access;
  readonly resourcesThere: ReadonlyMap<string, RemoteResource>;
  readonly variables: Variables;
  /** Versions that wait for a decision. */
  readonly proposals: readonly TemplateProposal[];
}

const openProposals = async (stanza: Stanza): Promise<TemplateProposal[]> => {
  const found: TemplateProposal[] = [];
  for await (const one of stanza.proposals.list({ status: 'open', limit: 100 })) found.push(one);
  return found;
};

/** @throws CommandProblem where a key names nothing on either side */
const checkWanted = (
  wanted: readonly string[],
  found: ReadonlySet<string>,
  keys: readonly string[],
): void => {
  const missing = wanted.find((key) => !found.has(key));
  if (missing === undefined) return;
  const near = nearestName(missing, keys);
  throw new CommandProblem(
    `There is no ${nameOf(missing)}, here or there${near ? `; did you mean ${near}?` : '.'}`,
    'Name it by its key.',
  );
};

/** The part of a map that is asked for. */
const only = <T>(all: ReadonlyMap<string, T>, isWanted: (key: string) => boolean): Map<string, T> =>
  new Map([...all].filter(([key]) => isWanted(key)));

/** Names of what a push of these files makes: what names them need not be there yet. */
const expectAll = (
  names: Names,
  templates: Iterable<string>,
  resources: ReadonlyMap<string, LocalResource>,
): void => {
  for (const key of templates) names.expect('template', key);
  for (const { kind, key } of resources.values()) if (kind.named) names.expect(kind.named, key);
};

const livePartialsIn = (
  kinds: readonly Kind[],
  there: ReadonlyMap<string, RemoteResource>,
): ReadonlySet<string> | undefined => {
  const kind = kinds.find(({ named }) => named === 'partial');
  if (!kind) return undefined;
  const own = [...there.values()].filter((it) => it.kind === kind && !it.found.is_archived);
  return new Set(own.filter(({ found }) => found.live_version_id !== null).map(({ key }) => key));
};

const read = async (
  setting: Setting,
  words: readonly string[] = [],
  overwritten: readonly string[] = [],
): Promise<Situation> => {
  const wanted = words.map(refIn);
  const isWanted = (key: string) => wanted.length === 0 || wanted.includes(key);
  const [project, stanza] = await Promise.all([setting.project(), setting.stanza()]);
  const { note, env } = setting.terminal;
  const validated = await stanza.auth.validate();
  const environment = `${validated.organization.id}/${validated.token.environment}`;
  const variables = new Variables(env);
  const kinds = kindsOf(project);
  const [names, { templates: locals, folders }, resources, lock, open] = await Promise.all([
    readNames(
      stanza,
      note,
      kinds.some((kind) => !isBeforeTemplates(kind)),
    ),
    readFolders(project, { isWanted, overwritten }),
    readResources(project, variables, overwritten),
    readLock(project.folder, environment),
    openProposals(stanza),
  ]);
  const remotes = await readRemotes(stanza, names, lock, isWanted);
  const there = await readThere(kinds, { stanza, names, lock, locals: resources }, note);
  const resourcesThere = only(there, isWanted);
  for (const { kind, key, found } of there.values())
    if (kind.named === 'partial') names.learn('partial', key, found.id);
  const access = {
    stanza,
    names,
    lock,
    locals: only(resources, isWanted),
    livePartials: livePartialsIn(kinds, there),
  };
  expectAll(names, locals.keys(), access.locals);
  checkWanted(
    wanted,
    new Set([...locals.keys(), ...remotes.keys(), ...access.locals.keys(), ...resourcesThere.keys()]),
    [...folders, ...resources.keys()],
  );
  return {
    project,
    stanza,
    validated,
    environment,
    names,
    lock,
    locals,
    remotes,
    proposals: open.filter(({ template_key: key }) => isWanted(key)),
    access,
    resourcesThere,
    variables,
  };
};

/**
 * Reads all three sides, of everything or of what is named.
 * @param overwritten what is to be overwritten here: its files may be broken
 */
export const readSituation = (
  setting: Setting,
  words?: readonly string[],
  overwritten?: readonly string[],
): Promise<Situation> => setting.long('reading', () => read(setting, words, overwritten));
