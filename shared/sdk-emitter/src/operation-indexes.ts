import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

const folders = ['shared/contracts/src/operations', 'services/*/src/operations'];

const indexOf = (folder: string): string => {
  const names = globSync('*.ts', { cwd: join(root, folder) })
    .filter((file) => file !== 'index.ts' && !file.endsWith('.test.ts'))
    .map((file) => basename(file, '.ts'))
    .sort();
  const lines = names.map((name) => `export * from './${name}.ts';`);
  return `// Every file of this folder; the build writes the list.\n${lines.join('\n')}\n`;
};

/** The index of each folder of operations, as the files of the folder make it; the keys are paths from the root. */
export const operationIndexes = (): Record<string, string> =>
  Object.fromEntries(
    folders
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .map((folder) => [`${folder}/index.ts`, indexOf(folder)]),
  );
