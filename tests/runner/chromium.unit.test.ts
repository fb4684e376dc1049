import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectRoot } from '@stanza/local/project';
import { testFolders } from '../kit/local/folder.ts';
import { findChromium, packagedChromium } from './chromium.ts';
import { unpackedChromium } from './packaged-chromium.ts';

const newFolder = testFolders();

const programIn = async (folder: string, name: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, '', { mode: 0o755 });
  return path;
};

const neverUnpacked = () => Promise.reject(new Error('the package was unpacked'));

const unpacked = (unpackedBytes: number | undefined) => async () => {
  const folder = join(projectRoot, '.stanza/chromium-1.2.3');
  return { path: join(folder, 'start'), version: '1.2.3', folder, unpackedBytes };
};

describe('the Chromium of the browser tests', () => {
  it('is the one that STANZA_CHROMIUM names, before an installed one', async () => {
    const folder = await newFolder();
    await programIn(folder, 'chromium');
    const named = await programIn(folder, 'my-own');
    expect(await findChromium({ STANZA_CHROMIUM: named, PATH: folder }, neverUnpacked)).toEqual({
      path: named,
      origin: `${named}, from STANZA_CHROMIUM`,
    });
  });

  it('is missing when STANZA_CHROMIUM names something other than a program', async () => {
    const folder = await newFolder();
    await programIn(folder, 'chromium');
    const STANZA_CHROMIUM = join(folder, 'nothing');
    expect(await findChromium({ STANZA_CHROMIUM, PATH: folder }, neverUnpacked)).toEqual({
      lack: `STANZA_CHROMIUM names ${STANZA_CHROMIUM}, which is not a program`,
    });
  });

  it('is an installed one, before that of the package', async () => {
    const [first, second] = [await newFolder(), await newFolder()];
    await writeFile(join(first, 'chromium'), 'not executable', { mode: 0o644 });
    const path = await programIn(second, 'google-chrome');
    expect(await findChromium({ PATH: `${first}:${second}` }, neverUnpacked)).toEqual({ path, origin: path });
  });
});

describe('the Chromium of the npm package', () => {
  it('is said with its place, and with its size when it was unpacked now', async () => {
    const start = join(projectRoot, '.stanza/chromium-1.2.3/start');
    const origin = '1.2.3 of @sparticuz/chromium in .stanza/chromium-1.2.3';
    expect(await packagedChromium(unpacked(undefined))).toEqual({ path: start, origin });
    expect(await packagedChromium(unpacked(215_400_000))).toEqual({
      path: start,
      origin: `${origin}, unpacked now, 215 MB`,
    });
  });

  it.each(['linux-arm64', 'darwin-arm64', 'win32-x64'])(
    'is named as missing, with the reason, on %s',
    async (machine) => {
      expect(await packagedChromium(() => unpackedChromium(machine))).toEqual({
        lack: `there is no Chromium, and npm brings one for linux-x64, not for ${machine}; install the package "chromium" or set STANZA_CHROMIUM`,
      });
    },
  );
});
