import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A call in a module of ours, as stacks name it. */
const call = /^( {4}at .*?)(file:\/\/[^\s()]+\.js):(\d+):(\d+)/gm;

/** More than the modules of a process; a message that looks like a stack may name any. */
const maxMaps = 2_000;

/** The maps of modules that were in a stack, by address. */
const maps = new Map<string, SourceMap | undefined>();

const read = (module: string): SourceMap | undefined => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(module)}.map`, 'utf8')));
  } catch {
    // Without a map the place in the built module is what can be said, and an error is being logged already.
    return undefined;
  }
};

const mapOf = (module: string): SourceMap | undefined => {
  if (maps.has(module)) return maps.get(module);
  if (maps.size >= maxMaps) maps.clear();
  const map = module.includes('/node_modules/') ? undefined : read(module);
  maps.set(module, map);
  return map;
};

/**
 * A stack with the places in sources in place of those in built modules. Maps are read when a stack is written down: Node's
 * `--enable-source-maps` reads those of all modules as they are loaded, and keeps 10 to 20 MB of them in each process.
 */
export const withSourcePositions = (stack: string): string =>
  stack.replace(call, (built, at: string, module: string, line: string, column: string) => {
    const origin = mapOf(module)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return built;
    return `${at}${new URL(origin.fileName, module).href}:${origin.lineNumber}:${origin.columnNumber}`;
  });
