import { storedBytes } from '@stanza/runtime';
import { contents } from '../domain/content-bytes.ts';

/** The bytes of all contents that an organization stores here, see `StoredBytes`. */
export const { within: withinStoredBytes, count: countStoredBytes } = storedBytes('bytes', contents);
