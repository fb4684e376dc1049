import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedPages } from './pages.ts';

/** Writes the pages of `docs/` that are made from the code, and what is deployed. */
for (const [file, text] of Object.entries(generatedPages())) {
  await writeFile(join(import.meta.dirname, '../..', file), text);
  console.log(`wrote ${file}`);
}
