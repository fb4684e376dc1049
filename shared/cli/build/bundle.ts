import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** The program of the package: the command with the engine and the SDK in it, from their sources. */
const bundleFile = join(root, 'dist/stanza.js');

await build({
  input: join(root, 'src/main.ts'),
  platform: 'node',
  // The oldest Node that bin/stanza.js takes, which has no `await using`.
  transform: { target: 'node22.12' },
  resolve: { conditionNames: ['@stanza/source', 'node', 'import'] },
  output: { file: bundleFile, format: 'esm', codeSplitting: false, minify: true },
  logLevel: 'warn',
});
await chmod(bundleFile, 0o755);
