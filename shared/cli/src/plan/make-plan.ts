import type { TemplateProposal } from '@stanza/sdk';
import type { LockEntry } from '../files/lock-file.ts';
import { CommandProblem } from '../problem.ts';
import { type Compiled, compileTemplate, type Refused } from '../templates/compile.ts';
import { hashOfAbout, hashOfVersion, namesIn, renamed } from '../templates/content.ts';
import { forEach, type RemoteTemplate } from '../templates/remote.ts';
import type { LocalTemplate } from '../templates/template-files.ts';
import { type Choice, chosenStatus, type Status, statusOf } from './compare.ts';
import { differencesOf } from './differences.ts';
import type { Action, Fingerprint, Found, Plan, PlannedImpact, PlannedTemplate } from './plan.ts';
import type { Situation } from './situation.ts';

/** What a push is asked for. */
export interface PlanOptions extends Choice {
  /** Makes the newest versions live. */
  readonly activates: boolean;
  /** Archives what has no folder any more. */
  readonly archives: boolean;
  /** Asks what the changes mean for stored data. */
  readonly asksImpact: boolean;
}

const proposers = {
  web: 'a person in the console',
  api: 'a program',
  mcp: 'an agent',
} as const satisfies Record<TemplateProposal['source'], string>;

/** Impacts that are asked for at once: a service measures few of an organization at a time. */
const impactsInFlight = 3;

/** A template on all sides. */
interface Trio {
  readonly key: string;
  readonly local: LocalTemplate | undefined;
  readonly remote: RemoteTemplate | undefined;
  readonly base: LockEntry | undefined;
}

/** What names the files of a template. */
export const fingerprintOf = ({ about, version }: LocalTemplate): Fingerprint => ({
  about: hashOfAbout(about),
  content: hashOfVersion(version),
});

const foundOf = (remote: RemoteTemplate): Found => ({
  id: remote.id,
  about: remote.aboutHash,
  content: remote.versionHash,
  version_id: remote.newest.id,
  version_number: remote.newest.version_number,
  live_version_id: remote.liveVersionId,
  is_archived: remote.isArchived,
});

/** Whether another version was made live there than the files know of. */
const isLiveMoved = ({ remote, base }: Trio): boolean =>
  remote !== undefined &&
  base !== undefined &&
  remote.liveVersionId !== base.live_version_id &&
  remote.liveVersionId !== base.version_id &&
  remote.liveVersionId !== remote.newest.id;

const archivedThere = 'it is archived there: unarchive it, or remove its folder';
const liveMoved = 'another version was made live there since the last sync';

interface Judged {
  readonly status: Status;
  readonly why?: string;
}

/** The status of a template, and what it does not say. */
const judge = (trio: Trio, { activates, ...choice }: PlanOptions): Judged | undefined => {
  const { key, local, remote, base } = trio;
  const sides = {
    mine: local && fingerprintOf(local),
    theirs: remote && !remote.isArchived ? foundOf(remote) : undefined,
    base,
  };
  const status = statusOf(sides);
  if (status === undefined) return undefined;
  if (local && remote?.isArchived)
    return { status: status === 'changed_there' ? status : 'both', why: archivedThere };
  const chosen = chosenStatus(key, status, sides, choice);
  const isPushed = chosen === 'changed' || chosen === 'unchanged';
  if (activates && isPushed && isLiveMoved(trio) && !choice.mine.includes(key))
    return { status: 'both', why: liveMoved };
  if (!remote && base && local) return { status: chosen, why: 'it is deleted there' };
  return { status: chosen };
};

const actionsOf = ({ local, remote }: Trio, status: Status, options: PlanOptions): Action[] => {
  if (status === 'gone') return options.archives ? ['archive'] : [];
  if (!local || status === 'both' || status === 'changed_there') return [];
  const mine = fingerprintOf(local);
  const actions: Action[] = [];
  if (!remote) actions.push('create');
  else {
    if (remote.versionHash !== mine.content) actions.push('append');
    if (remote.aboutHash !== mine.about) actions.push('update');
  }
  const isLive = remote !== undefined && remote.liveVersionId === remote.newest.id;
  const isWritten = actions.includes('create') || actions.includes('append');
  if (options.activates && (isWritten || !isLive)) actions.push('activate');
  return actions;
};

/** What keeps a template from being pushed: it does not compile, or names what is not there. */
const problemsOf = (
  { version }: LocalTemplate,
  compiled: Compiled | Refused,
  { names }: Situation,
): string[] => {
  const broken = compiled.ok ? [] : compiled.problems.map((it) => `${it.pointer}: ${it.rule}: ${it.message}`);
  const entity = version.entity === undefined ? [] : [{ kind: 'entity' as const, name: version.entity }];
  const missing = [...entity, ...namesIn(version.blocks)]
    .filter(({ kind, name }) => !names.has(kind, name))
    .map(({ kind, name }) => names.missing(kind, name));
  return [...broken, ...missing];
};

const impactOf = async (
  { stanza, names }: Situation,
  { local, remote }: Trio,
  actions: readonly Action[],
): Promise<PlannedImpact | undefined> => {
  if (!local || !remote || remote.liveVersionId === null) return undefined;
  const isAppended = actions.includes('append');
  if (!isAppended && !actions.includes('activate')) return undefined;
  const { inputs, summary, data, not_looked_at } = await stanza.templates.impact.get(
    remote.id,
    isAppended
      ? { blocks: renamed(local.version.blocks, (kind, key) => names.idOf(kind, key)) }
      : { version_id: remote.newest.id },
  );
  const told = data.filter(({ effect }) => effect === 'breaks' || effect === 'warning');
  return { inputs, summary, data: told, not_looked_at };
};

const plannedOf = async (
  situation: Situation,
  trio: Trio,
  options: PlanOptions,
): Promise<PlannedTemplate | undefined> => {
  const judged = judge(trio, options);
  if (!judged) return undefined;
  const { key, local, remote } = trio;
  const actions = actionsOf(trio, judged.status, options);
  const isWritten = actions.includes('create') || actions.includes('append');
  const problems =
    local && isWritten ? problemsOf(local, compileTemplate(local, situation.project.now), situation) : [];
  const isQuiet = judged.status === 'unchanged' && actions.length === 0;
  const differences = isQuiet ? undefined : await differencesOf(trio, judged.status, situation.project.now);
  const impact =
    options.asksImpact && problems.length === 0 ? await impactOf(situation, trio, actions) : undefined;
  return {
    key,
    ...judged,
    actions,
    ...(local && { mine: fingerprintOf(local) }),
    ...(remote && { theirs: foundOf(remote) }),
    about: [],
    data_changed: false,
    ...differences,
    ...(impact && { impact }),
    problems,
  };
};

const checkChoice = ({ mine, theirs }: Choice, keys: ReadonlySet<string>): void => {
  for (const key of [...mine, ...theirs]) {
    if (mine.includes(key) && theirs.includes(key))
      throw new CommandProblem(`${key} is named by --mine and by --theirs.`, 'Name it by one of the two.');
    if (!keys.has(key)) throw new CommandProblem(`There is no template ${key}.`, 'Name it by its key.');
  }
};

/** Compares all sides, and says what a push would do. */
export const makePlan = async (situation: Situation, options: PlanOptions): Promise<Plan> => {
  const { locals, remotes, lock, environment, validated, proposals } = situation;
  const keys = new Set([...locals.keys(), ...remotes.keys()]);
  checkChoice(options, keys);
  const trios = [...keys]
    .sort()
    .map((key): Trio => ({ key, local: locals.get(key), remote: remotes.get(key), base: lock.get(key) }));
  const planned = await forEach(trios, (trio) => plannedOf(situation, trio, options), impactsInFlight);
  const { activates, archives, mine, theirs } = options;
  return {
    plan: 1,
    environment,
    environment_name: validated.token.environment,
    organization_name: validated.organization.name,
    activates,
    archives,
    choice: { mine: [...mine], theirs: [...theirs] },
    templates: planned.filter((it) => it !== undefined),
    proposals: proposals.map(({ template_key: key, version_number, agent, source }) => ({
      key,
      version_number,
      from: agent ?? proposers[source],
    })),
  };
};
