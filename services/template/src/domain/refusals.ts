import { CodedError } from '@stanza/contracts';

/** The id names no template of this organization and environment. */
export const templateNotFound = (): CodedError => new CodedError('template_not_found');

/** The id names no version of this template. */
export const versionNotFound = (): CodedError => new CodedError('version_not_found');
