/**
 * The people of e-mail addresses in lower case: the id of the user, or null where the workspace has no such person. An
 * address that is left out could not be looked up.
 */
export type People = Readonly<Record<string, string | null>>;

/** What a run keeps about the people whom its text mentions by e-mail. */
export interface Mentions {
  /** The addresses, in lower case, up to the limit of look-ups. */
  readonly wanted: Set<string>;
  /** The warnings that the run has noted about them. */
  readonly told: Set<string>;
}
