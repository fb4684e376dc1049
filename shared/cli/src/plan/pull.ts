import { type LockEntry, readLock, writeLock } from '../files/lock-file.ts';
import { expectedOf } from '../templates/compile.ts';
import { hashOfVersion } from '../templates/content.ts';
import type { RemoteTemplate } from '../templates/remote.ts';
import { removeTemplate, writeTemplate } from '../templates/template-files.ts';
import type { Choice } from './compare.ts';
import type { Plan, PlannedTemplate } from './plan.ts';
import type { Situation } from './situation.ts';

/** What a pull did with a template. */
export type PullOutcome = 'written' | 'removed' | 'agreed' | 'kept' | 'conflict';

/** What became of one template. */
export interface Pulled {
  readonly key: string;
  readonly outcome: PullOutcome;
}

const entryOf = async (remote: RemoteTemplate): Promise<LockEntry> => ({
  about: remote.aboutHash,
  content: hashOfVersion(await remote.version()),
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

/** Brings one template here, where that overwrites nothing. */
const pullOne = async (
  situation: Situation,
  { key, status }: PlannedTemplate,
  { mine }: Choice,
): Promise<PullOutcome> => {
  const remote = situation.remotes.get(key);
  // The files of a person's choice win the next push: its base is what is there now.
  if (mine.includes(key)) return 'kept';
  if (status === 'changed_there') return bringHere(situation, key, remote);
  if (status === 'unchanged') return 'agreed';
  return status === 'both' ? 'conflict' : 'kept';
};

/** Whether files and API agree from now on, or are taken to have agreed. */
const isBase = ({ key }: PlannedTemplate, outcome: PullOutcome, { mine }: Choice): boolean =>
  outcome === 'written' || outcome === 'agreed' || (outcome === 'kept' && mine.includes(key));

/**
 * Brings what was changed there into the files. Files that were changed here stay, and so do both sides of a conflict.
 * Pulling twice changes nothing the second time.
 */
export const pull = async (situation: Situation, plan: Plan): Promise<Pulled[]> => {
  const { project, environment, remotes } = situation;
  const lock = new Map(await readLock(project.folder, environment));
  const pulled: Pulled[] = [];
  for (const planned of plan.templates) {
    const outcome = await pullOne(situation, planned, plan.choice);
    const remote = remotes.get(planned.key);
    if (remote && isBase(planned, outcome, plan.choice)) lock.set(planned.key, await entryOf(remote));
    if (outcome === 'removed') lock.delete(planned.key);
    pulled.push({ key: planned.key, outcome });
  }
  await writeLock(project.folder, environment, lock);
  return pulled;
};
