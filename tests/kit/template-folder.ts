import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandRun, type CommandSurroundings, stanzaCommand } from './stanza-command.ts';

/** A folder of templates of a test, and the command in it. */
export class TemplateFolder implements AsyncDisposable {
  readonly path: string;
  readonly #env: () => Readonly<Record<string, string>>;

  private constructor(path: string, env: () => Readonly<Record<string, string>>) {
    this.path = path;
    this.#env = env;
  }

  /** Makes a folder as `stanza init` does. */
  static async make(env: () => Readonly<Record<string, string>>): Promise<TemplateFolder> {
    const folder = new TemplateFolder(await mkdtemp(join(tmpdir(), 'stanza-templates-')), env);
    await folder.run(['init']);
    return folder;
  }

  /** Runs the command here. */
  run(words: readonly string[], more: CommandSurroundings = {}): Promise<CommandRun> {
    return stanzaCommand(words, { env: this.#env(), folder: this.path, ...more });
  }

  /** Writes a file of a template. */
  async write(key: string, content: object, file = 'template.json'): Promise<void> {
    await mkdir(join(this.path, 'templates', key), { recursive: true });
    await writeFile(join(this.path, 'templates', key, file), JSON.stringify(content, null, 2));
  }

  /** The JSON of a file of a template. */
  async read(key: string, file = 'template.json') {
    return JSON.parse(await readFile(join(this.path, 'templates', key, file), 'utf8'));
  }

  /** Every file here with its text. */
  async files(): Promise<Record<string, string>> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    return Object.fromEntries(
      await Promise.all(
        files.map(async (file) => [file.slice(this.path.length + 1), await readFile(file, 'utf8')]),
      ),
    );
  }

  /** Removes the files of a template. */
  remove(key: string): Promise<void> {
    return rm(join(this.path, 'templates', key), { recursive: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
