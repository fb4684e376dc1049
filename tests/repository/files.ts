import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the project. */
export const root = join(import.meta.dirname, '../..');

/** The text of a file of the project. */
export const read = (file: string): string => readFileSync(join(root, file), 'utf8');
