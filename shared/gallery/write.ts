import { writeFile } from 'node:fs/promises';
import { compileExhibit } from './compile.ts';
import { exhibits, fileOf } from './exhibits.ts';

/** Writes what every exhibit comes out as today; read the difference before you commit it. */
for (const exhibit of exhibits) {
  const { output } = compileExhibit(exhibit);
  await writeFile(fileOf(exhibit.slug, 'expected.json'), `${JSON.stringify(output, null, 2)}\n`);
}
console.log(`wrote the expected output of ${exhibits.length} templates`);
