import { CodedError } from '@stanza/contracts';

/** What an activation depends on. */
export interface Activatable {
  archived_at: Date | null;
  current_version_id: string | null;
}

/**
 * Decides whether a version may become the live one.
 * @param expected the version that the caller believes to be live; null for none, undefined when they don't care
 * @returns false when the version is live already, so that there is nothing to do
 * @throws CodedError `invalid_state` for an archived template, `current_version_changed` when another version is live
 * than expected, even if it is the one to be activated: of callers with the same expectation only one succeeds
 */
export const needsActivation = (
  template: Activatable,
  versionId: string,
  expected: string | null | undefined,
): boolean => {
  if (template.archived_at !== null) {
    throw new CodedError('invalid_state', {
      message: 'The template is archived; take it back into service before you activate a version.',
    });
  }
  const { current_version_id: current } = template;
  // Ids may be written in either case.
  if (expected !== undefined && (expected?.toLowerCase() ?? null) !== current) {
    throw new CodedError('current_version_changed', {
      message: `The live version is ${current ?? 'none'}, not ${expected ?? 'none'} as you expected.`,
    });
  }
  return current !== versionId;
};
