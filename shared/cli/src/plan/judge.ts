import { hashOf } from '../files/canonical.ts';
import type { LockEntry } from '../files/lock-file.ts';
import type { Fingerprint, Found } from '../resources/found.ts';
import { type Choice, chosenStatus, type Status, statusOf } from './compare.ts';

/** A template, or another resource, on all sides. */
export interface Trio {
  readonly key: string;
  readonly mine: Fingerprint | undefined;
  readonly theirs: Found | undefined;
  readonly base: LockEntry | undefined;
}

/** The status of a resource, and what it does not say. */
export interface Judged {
  readonly status: Status;
  readonly why?: string;
  /** Whether a push of before has begun to write it. */
  readonly resumes?: true;
  /** Whether its newest version is left as it is: it was live, and whoever took it back is not overruled. */
  readonly staysBack?: true;
}

/** Names what a push of several requests writes. */
export const pushingOf = (mine: Fingerprint): string => hashOf(mine);

/** Whether another version was made live there than the files know of. */
const isLiveMoved = ({ theirs, base }: Trio): boolean =>
  theirs !== undefined &&
  base !== undefined &&
  theirs.live_version_id !== base.live_version_id &&
  theirs.live_version_id !== base.version_id &&
  theirs.live_version_id !== theirs.version_id;

const archivedThere = 'it is archived there';
const takenBack = 'its newest version was live and was taken back; --mine makes it live again';
const liveMoved = 'another version was made live there since the last sync';

const judgeArchived = (key: string, status: Status, choice: Choice): Judged => {
  if (choice.mine.includes(key)) return { status: 'changed', why: archivedThere };
  const isLeft = status === 'changed_there' || choice.theirs.includes(key);
  return { status: isLeft ? 'changed_there' : 'both', why: archivedThere };
};

/** What keeps a push from changing which version is live, unless its key is named. */
const judgeLive = (trio: Trio, status: Status): Judged | undefined => {
  if (isLiveMoved(trio)) return { status: 'both', why: liveMoved };
  const staysBack = status === 'unchanged' && trio.theirs?.is_taken_back === true;
  return staysBack ? { status, why: takenBack, staysBack } : undefined;
};

const isAgreed = (base: LockEntry | undefined): base is LockEntry => base !== undefined && base.about !== '';

/** Judges what became of a resource since the last sync; undefined where it is on neither side. */
export const judge = (
  trio: Trio,
  { activates, ...choice }: Choice & { readonly activates: boolean },
): Judged | undefined => {
  const { key, mine, theirs, base } = trio;
  const agreed = isAgreed(base) ? base : undefined;
  const sides = { mine, theirs: theirs && !theirs.is_archived ? theirs : undefined, base: agreed };
  const status = statusOf(sides);
  if (status === undefined) return undefined;
  if (mine && theirs?.is_archived) return judgeArchived(key, status, choice);
  if (mine && status !== 'unchanged' && base?.pushing === pushingOf(mine))
    return { status: theirs ? 'changed' : 'new', why: 'a push was interrupted', resumes: true };
  const chosen = chosenStatus(key, status, sides, choice);
  const isPushed = chosen === 'changed' || chosen === 'unchanged';
  if (activates && isPushed && !choice.mine.includes(key)) {
    const kept = judgeLive(trio, chosen);
    if (kept) return kept;
  }
  if (!theirs && agreed && mine) return { status: chosen, why: 'it is deleted there' };
  return { status: chosen };
};
