import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const inline = /<script( id="[\w-]+")?>([\s\S]*?)<\/script>/g;

/** Moves the scripts that stand in pages into files. They still run before the page is shown, as the choice of dark must. */
export const inlineScripts = () => {
  const files = new Map<string, string>();
  const fileOf = (script: string): string => {
    const name = `assets/inline.${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
    files.set(name, script);
    return name;
  };
  return {
    /** The page without scripts of its own. */
    moved: (html: string): string =>
      html.replaceAll(
        inline,
        (_whole, id = '', script) => `<script${id} src="/docs/${fileOf(script)}"></script>`,
      ),
    /** Writes the files. */
    write: (folder: string): void => {
      for (const [name, script] of files) writeFileSync(join(folder, name), script);
    },
  };
};
