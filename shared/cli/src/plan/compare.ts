/** What became of a part of a template since files and the API last agreed. */
export type PartState = 'unchanged' | 'changed' | 'changed_there' | 'both';

/** A part in the files, in the API, and in the base state, by their hashes. */
export interface Part {
  readonly mine: string;
  readonly theirs: string;
  readonly base: string | undefined;
}

/**
 * Compares three states of a part. Without a base state nothing is known of who changed it, so a difference counts as
 * one of both sides.
 */
export const partState = ({ mine, theirs, base }: Part): PartState => {
  if (mine === theirs) return 'unchanged';
  if (theirs === base) return 'changed';
  return mine === base ? 'changed_there' : 'both';
};

/** What a plan says of a template. */
export const statuses = ['new', 'changed', 'unchanged', 'gone', 'changed_there', 'both'] as const;

/** See {@link statuses}. */
export type Status = (typeof statuses)[number];

/** A template as one side has it. */
export interface Side {
  readonly about: string;
  readonly content: string;
}

/** A template as files, API and base state have it; undefined where it is not there. */
export interface Sides {
  readonly mine: Side | undefined;
  readonly theirs: Side | undefined;
  readonly base: Side | undefined;
}

const isSame = (one: Side, other: Side | undefined): boolean =>
  one.about === other?.about && one.content === other.content;

const together = (states: readonly PartState[]): Status => {
  if (states.includes('both')) return 'both';
  const [isOurs, isTheirs] = [states.includes('changed'), states.includes('changed_there')];
  if (isOurs && isTheirs) return 'both';
  if (isOurs) return 'changed';
  return isTheirs ? 'changed_there' : 'unchanged';
};

/** What a plan says of a template; undefined where it is on neither side. */
export const statusOf = ({ mine, theirs, base }: Sides): Status | undefined => {
  if (mine && theirs)
    return together([
      partState({ mine: mine.about, theirs: theirs.about, base: base?.about }),
      partState({ mine: mine.content, theirs: theirs.content, base: base?.content }),
    ]);
  if (mine) {
    if (base === undefined) return 'new';
    return isSame(mine, base) ? 'changed_there' : 'both';
  }
  if (theirs) {
    if (base === undefined) return 'changed_there';
    return isSame(theirs, base) ? 'gone' : 'both';
  }
  return undefined;
};

/** Which side wins where both have changed, by the keys that a person has named. */
export interface Choice {
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** The status after a person has chosen a side. */
export const chosenStatus = (key: string, status: Status, sides: Sides, choice: Choice): Status => {
  // Files that were never there have no other side that could win over them.
  if (choice.theirs.includes(key)) return ['unchanged', 'new'].includes(status) ? status : 'changed_there';
  if (!choice.mine.includes(key) || (status !== 'both' && status !== 'changed_there')) return status;
  if (!sides.mine) return 'gone';
  return sides.theirs ? 'changed' : 'new';
};
