import { nearestName } from '@stanza/engine';
import type { Stanza, TemplateProposal, ValidatedToken } from '@stanza/sdk';
import { type Lock, readLock } from '../files/lock-file.ts';
import type { Project } from '../files/project.ts';
import { CommandProblem } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { type Names, readNames } from '../templates/names.ts';
import { type RemoteTemplate, readRemotes } from '../templates/remote.ts';
import { type LocalTemplate, readTemplates } from '../templates/template-files.ts';

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
    `There is no template ${missing}, here or there${near ? `; did you mean ${near}?` : '.'}`,
    'Name it by its key.',
  );
};

/** Reads all three sides, of every template or of those that are named. */
export const readSituation = async (setting: Setting, wanted: readonly string[] = []): Promise<Situation> => {
  const isWanted = (key: string) => wanted.length === 0 || wanted.includes(key);
  const [project, stanza] = await Promise.all([setting.project(), setting.stanza()]);
  const validated = await stanza.auth.validate();
  const environment = `${validated.organization.id}/${validated.token.environment}`;
  const [names, all, lock, open] = await Promise.all([
    readNames(stanza, setting.terminal.note),
    readTemplates(project),
    readLock(project.folder, environment),
    openProposals(stanza),
  ]);
  const locals = new Map([...all].filter(([key]) => isWanted(key)));
  const remotes = await readRemotes(stanza, names, lock, isWanted);
  checkWanted(wanted, new Set([...locals.keys(), ...remotes.keys()]), [...all.keys()]);
  const proposals = open.filter(({ template_key: key }) => isWanted(key));
  return { project, stanza, validated, environment, names, lock, locals, remotes, proposals };
};
