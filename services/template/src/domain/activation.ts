import { CodedError } from '@stanza/contracts';

/** The facts that decide about an activation. */
export interface Activatable {
  archived_at: Date | null;
  current_version_id: string | null;
}

/**
 * Decides whether a version may become the live one.
 * @param expected the version that the caller believes to be live; null for none, undefined for no expectation
 * @returns false when the version is live already
 * @throws CodedError `invalid_state` for an archived template, `current_version_changed` when the live version is not
 * the expected one, even if it is the one to activate: of callers with the same expectation only one succeeds
 */
export const needsActivation = (
  template: Activatable,
  versionId: string,
  expected: string | null | undefined,
): boolean => {
  if (template.archived_at !== null) {
    throw new CodedError('invalid_state', {
      message: 'The template is archived; unarchive it before you activate a version.',
    });
  }
  const { current_version_id: current } = template;
  // Ids are accepted in either case.
  if (expected !== undefined && (expected?.toLowerCase() ?? null) !== current) {
    throw new CodedError('current_version_changed', {
      message: `The live version is ${current ?? 'none'}, not ${expected ?? 'none'} as expected.`,
    });
  }
  return current !== versionId;
};
