import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Switches for a browser that runs in a container, as root, without a screen and without calling home. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be run: in both cases it is the next candidate's turn.
    return false;
  }
}

/** The path of a Chromium to test with: `STANZA_CHROMIUM`, else a usual name in a usual folder; undefined when there is none. */
export function findChromium(): string | undefined {
  const chosen = process.env.STANZA_CHROMIUM;
  if (chosen !== undefined && chosen !== '') return isExecutable(chosen) ? chosen : undefined;
  const folders = ['/usr/bin', '/usr/local/bin', '/snap/bin', ...(process.env.PATH ?? '').split(delimiter)];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}
