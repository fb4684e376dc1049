import { type LockEntry, readLock, writeLock } from '../files/lock-file.ts';
import type { LocalResource, RemoteResource } from '../resources/kind.ts';
import { removeResource, writeResource } from '../resources/resource-files.ts';
import { expectedOf } from '../templates/compile.ts';
import { hashOfVersion } from '../templates/content.ts';
import type { RemoteTemplate } from '../templates/remote.ts';
import { removeTemplate, writeTemplate } from '../templates/template-files.ts';
import type { Choice } from './compare.ts';
import type { Plan, Planned, PlannedResource } from './plan.ts';
import type { Situation } from './situation.ts';

/** What a pull did with a template, or with another resource. */
export type PullOutcome = 'written' | 'removed' | 'agreed' | 'kept' | 'conflict';

/** What became of one of them. */
export interface Pulled {
  readonly key: string;
  readonly outcome: PullOutcome;
}

/** What files and API agree on: what is there, or what the files say where that makes the same of it. */
const entryOf = async (remote: RemoteTemplate, { status, mine }: Planned): Promise<LockEntry> => ({
  ...(status === 'unchanged' && mine
    ? mine
    : { about: remote.aboutHash, content: hashOfVersion(await remote.version()) }),
  version_id: remote.newest.id,
  live_version_id: remote.liveVersionId,
});

const bringHere = async (
  { project }: Situation,
  key: string,
  remote: RemoteTemplate | undefined,
): Promise<PullOutcome> => {
  if (!remote || remote.isArchived) {
    await removeTemplate(project, key);
    return 'removed';
  }
  const content = { about: remote.about, version: await remote.version() };
  const isChanged = await writeTemplate(project, key, content, expectedOf(content, project.now));
  return isChanged ? 'written' : 'agreed';
};

/** Brings one thing here, where that overwrites nothing. */
const pullOne = async (
  { key, status }: Planned,
  { mine }: Choice,
  bring: () => Promise<PullOutcome>,
): Promise<PullOutcome> => {
  // The files of a person's choice win the next push: its base is what is there now.
  if (mine.includes(key)) return 'kept';
  if (status === 'changed_there') return bring();
  if (status === 'unchanged') return 'agreed';
  return status === 'both' ? 'conflict' : 'kept';
};

/** Whether files and API agree from now on, or are taken to have agreed. */
const isBase = ({ key }: Planned, outcome: PullOutcome, { mine }: Choice): boolean =>
  outcome === 'written' || outcome === 'agreed' || (outcome === 'kept' && mine.includes(key));

const bringResource = async (
  { project, access, variables }: Situation,
  ref: string,
  remote: RemoteResource | undefined,
): Promise<{ outcome: PullOutcome; resource?: LocalResource }> => {
  const local = access.locals.get(ref);
  if (remote && !remote.found.is_archived) {
    const { resource, isChanged } = await writeResource(project, remote, local, variables);
    return { outcome: isChanged ? 'written' : 'agreed', resource };
  }
  if (local) await removeResource(project, local.kind, local.key);
  return { outcome: 'removed' };
};

/** Brings a resource here that is no template, and notes what is agreed on. */
const pullResource = async (
  situation: Situation,
  planned: PlannedResource,
  choice: Choice,
  lock: Map<string, LockEntry>,
): Promise<Pulled> => {
  const { key, theirs } = planned;
  let resource = situation.access.locals.get(key);
  const outcome = await pullOne(planned, choice, async () => {
    const brought = await bringResource(situation, key, situation.resourcesThere.get(key));
    resource = brought.resource;
    return brought.outcome;
  });
  if (outcome === 'removed') lock.delete(key);
  else if (theirs && isBase(planned, outcome, choice)) {
    const { version_id, live_version_id } = theirs;
    // What a person keeps differs from what is there; everything else is what the file says.
    const { about, content } = outcome === 'kept' || !resource ? theirs : resource.fingerprint;
    lock.set(key, { about, content, version_id, live_version_id });
  }
  return { key, outcome };
};

/**
 * Brings what was changed there into the files. Files that were changed here stay, and so do both sides of a conflict.
 * Pulling twice changes nothing the second time.
 */
export const pull = async (situation: Situation, plan: Plan): Promise<Pulled[]> => {
  const { project, environment, remotes } = situation;
  const lock = new Map(await readLock(project.folder, environment));
  const pulled: Pulled[] = [];
  for (const planned of plan.templates) {
    const remote = remotes.get(planned.key);
    const bring = () => bringHere(situation, planned.key, remote);
    const outcome = await pullOne(planned, plan.choice, bring);
    if (remote && isBase(planned, outcome, plan.choice))
      lock.set(planned.key, await entryOf(remote, planned));
    if (outcome === 'removed') lock.delete(planned.key);
    pulled.push({ key: planned.key, outcome });
  }
  for (const planned of plan.resources)
    pulled.push(await pullResource(situation, planned, plan.choice, lock));
  await writeLock(project.folder, environment, lock);
  return pulled;
};
