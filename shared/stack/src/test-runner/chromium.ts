import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The Chromium to test the pages with: that of `STANZA_CHROMIUM`, else one on the path; undefined when there is none. */
export const findChromium = (env: Record<string, string | undefined> = process.env): string | undefined => {
  const named = env.STANZA_CHROMIUM;
  if (named) return isProgram(named) ? named : undefined;
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...candidates, ...fixedPlaces].find(isProgram);
};
