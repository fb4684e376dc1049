import { join } from 'node:path';
import { projectRoot } from './project.ts';

/** Variables that every process of the stack inherits besides its own settings. */
const inherited = /^(PATH|HOME|TZ|LANG|TMPDIR|SystemRoot|NODE_.*|OTEL_.*)$/;

/** Node's compile cache, which shortens every start after the first; shared by all stacks of the checkout. */
const compileCache = join(projectRoot, '.stanza', 'compile-cache');

/** The part of this process's environment that services inherit. */
export const inheritedEnvironment = (
  env: Record<string, string | undefined> = process.env,
): Record<string, string> => {
  const kept: Record<string, string> = { NODE_COMPILE_CACHE: compileCache };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && inherited.test(name)) kept[name] = value;
  }
  return kept;
};
