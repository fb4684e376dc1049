import { retryRules } from '@stanza/contracts';
import { releaseVersion, retriesSource, versionSource } from '../write-constants.ts';
import { pythonHead, pythonLiteral } from './names.ts';

/** The module with the version and the rules of retries. */
export const rulesModule = (): string => {
  const { not_begun: notBegun, transient, once, permanent } = retryRules;
  return `${pythonHead(`${retriesSource} and ${versionSource}`)}"""The version of the SDK, and what is done after a failure, by its code and its status."""

VERSION = ${pythonLiteral(releaseVersion())}

NOT_BEGUN_CODES = ${pythonLiteral(notBegun.codes)}
NOT_BEGUN_STATUSES = ${pythonLiteral(notBegun.statuses)}
TRANSIENT_CODES = ${pythonLiteral(transient.codes)}
TRANSIENT_STATUSES = ${pythonLiteral(transient.statuses)}
ONCE_CODES = ${pythonLiteral(once.codes)}
PERMANENT_CODES = ${pythonLiteral(permanent.codes)}
FIRST_PAUSE_S = ${retryRules.first_pause_ms / 1_000}
LONGEST_PAUSE_S = ${retryRules.longest_pause_ms / 1_000}
`;
};
