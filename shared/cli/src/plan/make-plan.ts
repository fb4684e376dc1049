import type { Block } from '@stanza/engine';
import type { TemplateProposal } from '@stanza/sdk';
import { CommandProblem } from '../problem.ts';
import type { Fingerprint, Found } from '../resources/found.ts';
import { nameOf } from '../resources/wanted.ts';
import { type Compiled, compileTemplate, type Refused } from '../templates/compile.ts';
import { hashOfAbout, hashOfVersion, namesIn, renamed } from '../templates/content.ts';
import { blocksToSave, forEach, type RemoteTemplate } from '../templates/remote.ts';
import { problemsOfSettings, type TemplateProblem } from '../templates/settings.ts';
import type { LocalTemplate } from '../templates/template-files.ts';
import type { Choice } from './compare.ts';
import { differencesOf } from './differences.ts';
import { type Judged, judge } from './judge.ts';
import type { Action, Plan, Planned, PlannedImpact, PlannedTemplate, PlanOptions } from './plan.ts';
import { liveOnly, planResources, problemsOfPartials, withLive } from './plan-resources.ts';
import type { Situation } from './situation.ts';

const proposers = {
  web: 'a person in the console',
  api: 'a program',
  mcp: 'an agent',
} as const satisfies Record<TemplateProposal['source'], string>;

/** Impacts that are asked for at once: a service measures few of an organization at a time. */
const impactsInFlight = 3;

/** A template on both sides; it is on one of them at least. */
interface Pair {
  readonly key: string;
  readonly local: LocalTemplate | undefined;
  readonly remote: RemoteTemplate | undefined;
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
  is_taken_back: remote.newest.status === 'inactive',
});

const actionsOf = (
  { local, remote }: Pair,
  { status, staysBack }: Judged,
  options: PlanOptions,
): Action[] => {
  if (status === 'gone') return options.archives ? ['archive'] : [];
  if (!local || status === 'both' || status === 'changed_there') return [];
  const mine = fingerprintOf(local);
  const actions: Action[] = [];
  if (!remote) actions.push('create');
  else {
    if (remote.isArchived) actions.push('unarchive');
    if (remote.versionHash !== mine.content) actions.push('append');
    if (remote.aboutHash !== mine.about) actions.push('update');
  }
  const isLive = remote !== undefined && remote.liveVersionId === remote.newest.id;
  const isWritten = actions.includes('create') || actions.includes('append');
  if (options.activates && (isWritten || !(isLive || staysBack))) actions.push('activate');
  return actions;
};

const problemText = ({ pointer, rule, message }: TemplateProblem): string =>
  `${pointer}: ${rule}: ${message}`;

/** What keeps a template from being pushed: it does not compile, or names what is not there. */
const problemsOf = (
  { version }: LocalTemplate,
  blocks: readonly Block[],
  compiled: Compiled | Refused,
  { names, access }: Situation,
  options: PlanOptions,
): string[] => {
  const broken = compiled.ok ? [] : compiled.problems.map(problemText);
  const entity = version.entity === undefined ? [] : [{ kind: 'entity' as const, name: version.entity }];
  const missing = [...entity, ...namesIn(version.blocks)]
    .filter(({ kind, name }) => !names.has(kind, name))
    .map(({ kind, name }) => names.missing(kind, name));
  return [...broken, ...missing, ...problemsOfPartials(blocks, access, options)];
};

const impactOf = async (
  { stanza, names, access }: Situation,
  { local, remote }: Pair,
  saved: readonly Block[],
  actions: readonly Action[],
): Promise<PlannedImpact | undefined> => {
  if (!local || !remote || remote.liveVersionId === null) return undefined;
  const isAppended = actions.includes('append');
  if (!isAppended && !actions.includes('activate')) return undefined;
  // What the push has yet to make has no id to ask with; the activation is refused where it breaks something.
  if (isAppended && namesIn(saved).some((it) => names.isComing(it.kind, it.name))) return undefined;
  if (isAppended && liveOnly(saved).some((key) => access.livePartials?.has(key) === false)) return undefined;
  const { inputs, summary, data, not_looked_at } = await stanza.templates.impact.get(
    remote.id,
    isAppended
      ? { blocks: renamed(saved, (kind, key) => names.idOf(kind, key)) }
      : { version_id: remote.newest.id },
  );
  const affected = data.filter(({ effect }) => effect === 'breaks' || effect === 'warning');
  return { inputs, summary, data: affected, not_looked_at };
};

const plannedOf = async (
  situation: Situation,
  pair: Pair,
  options: PlanOptions,
): Promise<PlannedTemplate | undefined> => {
  const { key, local, remote } = pair;
  const [mine, theirs] = [local && fingerprintOf(local), remote && foundOf(remote)];
  const judged = judge({ key, mine, theirs, base: situation.lock.get(key) }, options);
  if (!judged) return undefined;
  const actions = actionsOf(pair, judged, options);
  const isWritten = actions.includes('create') || actions.includes('append');
  const saved = local && isWritten ? await blocksToSave(local, remote) : [];
  const problems =
    local && isWritten
      ? problemsOf(local, saved, compileTemplate(local, situation.project.now), situation, options)
      : actions.includes('update') && local
        ? problemsOfSettings(local.about).map(problemText)
        : [];
  const isQuiet = judged.status === 'unchanged' && actions.length === 0;
  const differences = isQuiet ? undefined : await differencesOf(pair, judged.status, situation.project.now);
  const impact =
    options.needsImpact && problems.length === 0
      ? await impactOf(situation, pair, saved, actions)
      : undefined;
  return {
    key,
    ...judged,
    actions,
    ...(mine && { mine }),
    ...(theirs && { theirs }),
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
    if (!keys.has(key)) throw new CommandProblem(`There is no ${nameOf(key)}.`, 'Name it by its key.');
  }
};

const folderOf = (key: string): string => key.split('/').slice(0, -1).join('/');

const isSame = ({ mine }: Planned, theirs: Found | undefined): boolean =>
  mine?.about === theirs?.about && mine?.content === theirs?.content;

/** Says of something new that it says what something else says, which has no file any more: a push changes no keys. */
const withRenames = <T extends Planned>(planned: readonly T[]): T[] => {
  const gone = planned.filter(({ status }) => status === 'gone');
  return planned.map((one) => {
    if (one.status !== 'new' || one.why !== undefined) return one;
    const before = gone.find(({ key, theirs }) => folderOf(key) === folderOf(one.key) && isSame(one, theirs));
    return before ? { ...one, why: `it says what ${before.key} says, which has no file any more` } : one;
  });
};

/** Compares all sides, and says what a push would do. */
export const makePlan = async (situation: Situation, options: PlanOptions): Promise<Plan> => {
  const { locals, remotes, environment, validated, proposals, access, resourcesThere } = situation;
  const keys = new Set([...locals.keys(), ...remotes.keys()]);
  checkChoice(options, new Set([...keys, ...access.locals.keys(), ...resourcesThere.keys()]));
  const pairs = [...keys]
    .sort()
    .map((key): Pair => ({ key, local: locals.get(key), remote: remotes.get(key) }));
  const planned = await forEach(pairs, (pair) => plannedOf(situation, pair, options), impactsInFlight);
  const resources = await forEach(planResources(access, resourcesThere, options, new Date()), (one) =>
    withLive(one, resourcesThere.get(one.key)),
  );
  const { activates, archives, deletes, resends, mine, theirs } = options;
  return {
    plan: 1,
    environment,
    environment_name: validated.token.environment,
    organization_name: validated.organization.name,
    activates,
    archives,
    deletes,
    resends,
    choice: { mine: [...mine], theirs: [...theirs] },
    templates: withRenames(planned.filter((it) => it !== undefined)),
    resources: withRenames(resources),
    proposals: proposals.map(({ template_key: key, version_number, agent, source }) => ({
      key,
      version_number,
      from: agent ?? proposers[source],
    })),
  };
};
