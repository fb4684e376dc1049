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
  /** Whether the newest version was live, and another one is live in its place. */
  readonly is_taken_back: boolean;
}
