import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageFolder, projectRoot } from '@stanza/local/project';
import { tether } from '@stanza/local/tether';
import { z } from 'zod';
import { fillOnce, removeLeftovers } from './fill-once.ts';

/** The Chromium of the npm package, ready to start. */
export interface PackagedChromium {
  path: string;
  version: string;
  /** Everything that was unpacked. */
  folder: string;
  /** Its size, when this call unpacked it. */
  unpackedBytes: number | undefined;
}

const packageName = '@sparticuz/chromium';
const platform = 'linux-x64';

/** The fonts of the package and no others, so that a page looks the same on every machine. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Starts it with the libraries and fonts that came along; by its own place, so that the checkout can be moved. */
const launcher = `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`;
const launcherName = 'chromium-with-libraries';

/**
 * The package unpacks into the temp folder of its process, and adds the libraries that a bare system lacks (NSS, expat)
 * where it believes to run on the platform that it is made for. Both are told to a process of its own.
 */
const unpackInto = async (folder: string): Promise<void> => {
  const program = `const { default: it } = await import('${packageName}'); await it.executablePath();`;
  const line = tether().wrap(
    { command: process.execPath, args: ['--input-type=module', '--eval', program] },
    'SIGTERM',
  );
  const child = spawn(line.command, line.args, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [code, complaint] = await Promise.all([ended, text(child.stderr)]);
  if (code !== 0) throw new Error(`${packageName} could not be unpacked: ${reasonIn(complaint)}`);
  await writeFile(join(folder, 'fonts.conf'), fontSettings);
  await writeFile(join(folder, launcherName), launcher, { mode: 0o700 });
};

/** The line of a failed program's output that says why. */
const reasonIn = (output: string): string => {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== '') ?? 'no output';
};

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(entries.map(async (entry) => (await stat(join(folder, entry))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const installedVersion = async (): Promise<string> => {
  const file = join(packageFolder(packageName), 'package.json');
  if (!existsSync(file)) throw new Error(`${packageName} is not installed`);
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).version;
};

/**
 * Unpacks the package's Chromium into `.stanza/chromium-<version>` of the checkout, unless it is there, and sees that it
 * starts. Other versions are deleted.
 * @throws when the package has none for this machine, or when what it has does not start here
 */
export const unpackedChromium = async (
  machine = `${process.platform}-${process.arch}`,
): Promise<PackagedChromium> => {
  if (machine !== platform)
    throw new Error(`there is no Chromium, and npm brings one for ${platform}, not for ${machine}`);
  const version = await installedVersion();
  const parent = join(projectRoot, '.stanza');
  const name = `chromium-${version}`;
  const isNew = await fillOnce(parent, name, unpackInto);
  if (isNew) await removeLeftovers(parent, 'chromium-', name);
  const folder = join(parent, name);
  const path = join(folder, launcherName);
  const { status, stderr, error } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`the Chromium of npm does not start here: ${error?.message ?? reasonIn(stderr)}`);
  return { path, version, folder, unpackedBytes: isNew ? await sizeOf(folder) : undefined };
};
