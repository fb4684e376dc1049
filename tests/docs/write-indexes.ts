import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operationIndexes } from './operation-indexes.ts';

/** Writes the indexes of operations. It imports nothing of ours, since an index may name a file that is gone. */
for (const [file, text] of Object.entries(operationIndexes()))
  await writeFile(join(import.meta.dirname, '../..', file), text);
