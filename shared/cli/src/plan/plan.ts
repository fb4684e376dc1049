import type { BlockDiff } from '@stanza/engine/diff';
import type { DataImpact, TemplateImpact } from '@stanza/sdk';
import type { Fingerprint, Found } from '../resources/found.ts';
import type { Choice, Status } from './compare.ts';

/** A change of the metadata, which takes effect at once. */
export interface AboutChange {
  readonly name: string;
  /** Undefined where there is none. */
  readonly from?: unknown;
  readonly to?: unknown;
}

/** What stored data makes of a change. */
export interface PlannedImpact {
  readonly inputs: TemplateImpact['inputs'];
  readonly summary: TemplateImpact['summary'];
  /** Data that breaks, or misses a value. */
  readonly data: readonly DataImpact[];
  readonly not_looked_at: TemplateImpact['not_looked_at'];
}

/** What a push does to a template, or to another resource. */
export type Action =
  | 'create'
  | 'unarchive'
  | 'append'
  | 'update'
  | 'activate'
  | 'archive'
  | 'delete'
  | 'cancel';

/** What takes something out of service. */
export const removals = ['archive', 'delete', 'cancel'] as const satisfies readonly Action[];

/** What a plan says of a template, or of another resource. */
export interface Planned {
  /** Of a resource that is no template its folder too. */
  readonly key: string;
  readonly status: Status;
  /** Why it is so, where the status does not say it all. */
  readonly why?: string;
  /** Whether a push of before has begun to write it. */
  readonly resumes?: true;
  readonly actions: readonly Action[];
  readonly mine?: Fingerprint;
  /** What a push makes there, where that is not what the file says. */
  readonly makes?: Fingerprint;
  readonly theirs?: Found;
  readonly about: readonly AboutChange[];
  /** How the blocks differ from those of the API. */
  readonly blocks?: BlockDiff;
  /** Whether the sample data or the entity differ. */
  readonly data_changed: boolean;
  /** What keeps it from being pushed. */
  readonly problems: readonly string[];
}

/** What a plan says of one template. */
export interface PlannedTemplate extends Planned {
  /** What the message says, before and after, with the data of the files. */
  readonly text?: { readonly before: readonly string[]; readonly after: readonly string[] };
  readonly impact?: PlannedImpact;
}

/** What a plan says of a resource that is no template. */
export interface PlannedResource extends Planned {
  /** Variables that a push needs, and that are not set. */
  readonly unset: readonly string[];
  /** Parts that are there and that the file lacks: a push deletes them with `deletes`, and leaves them otherwise. */
  readonly lacking: readonly string[];
  /** What the API does not show. */
  readonly unseen?: string;
}

/** A version that waits for a decision there. */
export interface WaitingProposal {
  readonly key: string;
  readonly version_number: number;
  /** What the agent calls itself; else what the proposal came through. */
  readonly from: string;
}

/** What a push would do. */
export interface Plan {
  readonly plan: 1;
  /** The organization and environment that it was made for. */
  readonly environment: string;
  readonly environment_name: string;
  readonly organization_name: string;
  /** Whether the newest versions are to be live. */
  readonly activates: boolean;
  /** Whether templates and partials that have no files any more are to be archived. */
  readonly archives: boolean;
  /** Whether other resources that have no file any more are to be deleted. */
  readonly deletes: boolean;
  /** Whether secrets are sent again that cannot be compared. */
  readonly resends: boolean;
  readonly choice: Choice;
  readonly templates: readonly PlannedTemplate[];
  readonly resources: readonly PlannedResource[];
  readonly proposals: readonly WaitingProposal[];
}

/** Says which version waits for a decision, and whether the push ends that. */
export const proposalText = (
  { templates }: Plan,
  { key, version_number: number, from }: WaitingProposal,
): string => {
  const isEnded = templates.some((it) => it.key === key && it.actions.includes('activate'));
  const end = isEnded ? 'this push ends the proposal' : 'it waits for a decision';
  return `${key}: version ${number} is proposed by ${from}; ${end}`;
};

/** Stored data that a plan would break. */
export interface Break {
  readonly key: string;
  readonly data: DataImpact;
}

/** All stored data that would break. */
export const breaksOf = ({ templates }: Plan): Break[] =>
  templates.flatMap(({ key, impact }) =>
    (impact?.data ?? []).filter(({ effect }) => effect === 'breaks').map((data) => ({ key, data })),
  );

const sources = {
  version_sample: 'the sample data of the live version',
  sample_data: 'the sample data',
  schedule: 'the schedule',
  batch: 'a batch of the queue',
} as const satisfies Record<DataImpact['source'], string>;

/** Names stored data: whose it is, and why it breaks. */
export const breakText = ({ key, data }: Break): string => {
  const { source, name, id, problems } = data;
  const what = source === 'version_sample' ? sources[source] : `${sources[source]} ${name} (${id})`;
  const [first] = problems;
  return `${key}: ${what} breaks${first ? `: ${first.message}` : ''}`;
};

const removalWords = { archive: 'archives', delete: 'deletes', cancel: 'cancels' } as const;

const counted = (names: readonly string[], word: string): string =>
  `${names.length} ${word}${names.length === 1 ? '' : 's'} (${names.join(', ')})`;

/** Counts and names what a push takes out of service; undefined where that is nothing. */
export const removalText = (plan: Plan): string | undefined => {
  const phrases = removals.flatMap((removal) => {
    const keys = allPlanned(plan).flatMap(({ key, actions }) => (actions.includes(removal) ? [key] : []));
    const word = keys.every((key) => !key.includes('/')) ? 'template' : 'resource';
    return keys.length > 0 ? [`${removalWords[removal]} ${counted(keys, word)}`] : [];
  });
  const parts = plan.resources.flatMap(({ key, lacking, actions }) =>
    plan.deletes && actions.includes('update') ? lacking.map((name) => `${key}: ${name}`) : [],
  );
  if (parts.length > 0) phrases.push(`deletes ${counted(parts, 'field')}`);
  return phrases.length > 0 ? phrases.join(' and ') : undefined;
};

/** Names what a push cannot write, and is refused for; undefined where that is nothing. */
export const refusalText = (plan: Plan): string | undefined => {
  const keys = allPlanned(plan).flatMap(({ key, problems }) => (problems.length > 0 ? [key] : []));
  return keys.length > 0 ? `is refused until it is corrected: ${keys.join(', ')}` : undefined;
};

/** Everything that a plan says something of. */
export const allPlanned = ({ templates, resources }: Plan): Planned[] => [...templates, ...resources];

/** What has a status, in the order of the plan. */
export const withStatus = (plan: Plan, status: Status): Planned[] =>
  allPlanned(plan).filter((it) => it.status === status);

/** What a push is asked for. */
export interface PlanOptions extends Choice {
  /** Makes the newest versions live. */
  readonly activates: boolean;
  /** Archives templates and partials that have no files any more. */
  readonly archives: boolean;
  /** Deletes other resources that have no file any more, and cancels such schedules. */
  readonly deletes: boolean;
  /** Sends secrets again, which cannot be compared. */
  readonly resends: boolean;
  /** Asks what the changes mean for stored data. */
  readonly needsImpact: boolean;
}
