import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Block, blocksOf, pageText, root } from './markdown.ts';

/** What the shell lines of a page are run with. */
export interface PageOptions {
  /** Values in place of those that the page gives as examples: `KEY=…` becomes `KEY=<value>`. */
  values: Readonly<Record<string, string>>;
  /** Folder of the stack that the operator's commands reach. */
  stackDirectory: string;
}

/** What came of a page. */
export interface PageRun {
  /** Lines of the blocks that were run. */
  lines: number[];
  /** Everything that was printed. */
  output: string;
}

/** Why a block is not run here; undefined when it is. */
export const reasonNotToRun = ({ mark }: Block): string | undefined =>
  /^not run: (?<reason>.+)$/s.exec(mark ?? '')?.groups?.reason;

/** The shell blocks of a page. */
export const shellBlocks = (page: string): Block[] =>
  blocksOf(pageText(page)).filter(({ language }) => language === 'sh');

/**
 * `curl` fails where the API refuses, but in a block that is marked with `answers <status>`, which must get it. `npm run
 * admin`, `stop` and `start` are the same program without a build before it, on any free port.
 */
const prelude = `
set -euo pipefail
npm() {
  case "$*" in
    "run admin -- "*) node "$STANZA" admin "\${@:4}" ;;
    "run --silent admin -- "*) node "$STANZA" admin "\${@:5}" ;;
    "stop") node "$STANZA" stop ;;
    "start -- --detach") node "$STANZA" start --port 0 --detach ;;
    *) echo "the test runs no npm $*" >&2; return 1 ;;
  esac
}
curl() {
  local status
  status=$(command curl -o "$ANSWER" -w '%{http_code}' "$@")
  cat "$ANSWER"
  case "$status" in
    $EXPECTED) ;;
    *) echo "curl $* got $status, not $EXPECTED" >&2; return 1 ;;
  esac
}
`;

const withValues = (script: string, values: PageOptions['values']): string =>
  script.replaceAll(/^(\w+)=.*$/gm, (line, name: string) => {
    const value = values[name];
    return value === undefined ? line : `${name}='${value}'`;
  });

const commandsOf = (block: Block, values: PageOptions['values']): string => {
  const status = /^answers (\d+)$/.exec(block.mark ?? '')?.[1];
  return `EXPECTED='${status ?? '2??'}'\n${withValues(block.text, values)}`;
};

/**
 * Runs the shell blocks of a page one after the other in one shell, as a reader would paste them, in a folder that holds
 * nothing of the checkout but its examples and the templates of the gallery, and the stack's own folder as `.stanza`.
 * @throws what the shell said, when a line of them failed
 */
export const runPage = async (page: string, { values, stackDirectory }: PageOptions): Promise<PageRun> => {
  const blocks = shellBlocks(page).filter((block) => reasonNotToRun(block) === undefined);
  const script = blocks.map((block) => `echo "--- line ${block.line}" >&2\n${commandsOf(block, values)}`);
  const directory = await mkdtemp(join(tmpdir(), 'stanza-page-'));
  try {
    for (const folder of ['docs/examples', 'shared/gallery'])
      await cp(join(root, folder), join(directory, folder), { recursive: true });
    await symlink(stackDirectory, join(directory, '.stanza'));
    const own = { STANZA: join(root, 'deploy/local/dist/cli.js'), ANSWER: join(directory, 'answer') };
    const child = spawn('bash', ['-c', prelude + script.join('\n')], {
      cwd: directory,
      env: { ...process.env, ...own, STANZA_DIRECTORY: stackDirectory },
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const code = await ended;
    if (code !== 0) throw new Error(`${page} does not work (${code}):\n${errors}\n${output.slice(-2_000)}`);
    return { lines: blocks.map(({ line }) => line), output };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
