import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentViewFile, agentViewSource } from './agent-view.ts';
import { generatedPages } from './pages.ts';

/** Writes the pages of `docs/` that are made from the code. */
for (const [file, text] of Object.entries({
  ...generatedPages(),
  [agentViewFile]: await agentViewSource(),
})) {
  await writeFile(join(import.meta.dirname, '../..', file), text);
  console.log(`wrote ${file}`);
}
