import type { BlockDiff } from '@stanza/engine/diff';
import type { DataImpact, TemplateImpact } from '@stanza/sdk';
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

/** One side of a template, by what a push compares. */
export interface Fingerprint {
  readonly about: string;
  readonly content: string;
}

/** What the API had when the plan was made. */
export interface Found extends Fingerprint {
  readonly id: string;
  readonly version_id: string;
  readonly version_number: number;
  readonly live_version_id: string | null;
  readonly is_archived: boolean;
}

/** What a push does to a template. */
export type Action = 'create' | 'append' | 'update' | 'activate' | 'archive';

/** What a plan says of one template. */
export interface PlannedTemplate {
  readonly key: string;
  readonly status: Status;
  /** Why it is so, where the status does not say it all. */
  readonly why?: string;
  readonly actions: readonly Action[];
  readonly mine?: Fingerprint;
  readonly theirs?: Found;
  readonly about: readonly AboutChange[];
  /** How the blocks differ from those of the API. */
  readonly blocks?: BlockDiff;
  /** Whether the sample data or the entity differ. */
  readonly data_changed: boolean;
  /** What the message says, before and after, with the data of the files. */
  readonly text?: { readonly before: readonly string[]; readonly after: readonly string[] };
  readonly impact?: PlannedImpact;
  /** What keeps it from being pushed. */
  readonly problems: readonly string[];
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
  /** Whether what has no folder any more is to be archived. */
  readonly archives: boolean;
  readonly choice: Choice;
  readonly templates: readonly PlannedTemplate[];
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

/** Templates in an order: by key, as they are. */
export const withStatus = ({ templates }: Plan, status: Status): PlannedTemplate[] =>
  templates.filter((it) => it.status === status);
