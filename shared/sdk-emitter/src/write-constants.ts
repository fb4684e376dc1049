import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryRules } from '@stanza/contracts';
import { written } from './example.ts';
import { literal } from './schema-type.ts';
import { generatedHead } from './write-types.ts';

/** The version of the release, which is that of its SDKs. */
export const releaseVersion = (): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')).version;

/** Where the rules of retries are declared. */
export const retriesSource = 'shared/contracts/src/retries.ts';

/** Where the version of the release is. */
export const versionSource = 'package.json';

/** The file with the rules of retries. */
export const retriesFile = (): string => `${generatedHead(retriesSource)}
/** What is done after a failure, by its code and its status. */
export const retryRules = ${written(retryRules, 0)} as const;
`;

/** The file with the version. */
export const versionFile = (): string => `${generatedHead(versionSource)}
/** The version of the SDK. */
export const version = ${literal(releaseVersion())};
`;
