import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { shortPath } from '@stanza/local/commands/home';
import { messageOf } from '@stanza/local/failure';
import { type PackagedChromium, unpackedChromium } from './packaged-chromium.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A Chromium for the tests of pages, or the reason for its absence. */
export type FoundChromium =
  | {
      path: string;
      /** Where it comes from, for the output of `npm test`. */
      origin: string;
    }
  | { lack: string };

const advice = 'install the package "chromium" or set STANZA_CHROMIUM';

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent or not executable: either way the next candidate is looked at.
    return false;
  }
};

const installed = (env: Record<string, string | undefined>): string | undefined => {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...candidates, ...fixedPlaces].find(isProgram);
};

/** The Chromium of the npm package, or why it cannot be used here. */
export const packagedChromium = async (
  unpack: () => Promise<PackagedChromium> = unpackedChromium,
): Promise<FoundChromium> => {
  try {
    const { path, version, folder, unpackedBytes } = await unpack();
    const size = unpackedBytes === undefined ? '' : `, unpacked now, ${Math.round(unpackedBytes / 1e6)} MB`;
    return { path, origin: `${version} of @sparticuz/chromium in ${shortPath(folder)}${size}` };
  } catch (error) {
    return { lack: `${messageOf(error)}; ${advice}` };
  }
};

/**
 * Finds a Chromium: the one that `STANZA_CHROMIUM` names, an installed one, or the one of the npm package, in this
 * order. The package's is unpacked at its first use.
 */
export const findChromium = async (
  env: Record<string, string | undefined> = process.env,
  packaged = packagedChromium,
): Promise<FoundChromium> => {
  const named = env.STANZA_CHROMIUM;
  if (named) {
    return isProgram(named)
      ? { path: named, origin: `${named}, from STANZA_CHROMIUM` }
      : { lack: `STANZA_CHROMIUM names ${named}, which is not a program` };
  }
  const path = installed(env);
  return path === undefined ? packaged() : { path, origin: path };
};
