import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** A package of the checkout. */
export interface Workspace {
  name: string;
  /** Its folder relative to the checkout, with `/` between the parts. */
  folder: string;
  /** The packages that it needs when it runs. */
  dependencies: readonly string[];
}

const manifestSchema = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** The packages below `services`, `shared` and `deploy`. */
export const readWorkspaces = (root: string): Workspace[] =>
  globSync('{services,shared,deploy}/*/package.json', { cwd: root }).map((file) => {
    const { name, dependencies } = manifestSchema.parse(JSON.parse(readFileSync(join(root, file), 'utf8')));
    return {
      name,
      folder: dirname(file).replaceAll('\\', '/'),
      dependencies: Object.keys(dependencies),
    };
  });
