import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findProfile, profileFolder, removeProfile, saveProfile } from './profiles.ts';

const profile = { url: 'https://stanza.test', key: 'stz_live_1' };

describe('the folder of the profiles', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/config', HOME: '/home/ada' }, '/config/stanza'],
    [{ HOME: '/home/ada' }, '/home/ada/.config/stanza'],
    [{ XDG_CONFIG_HOME: '', HOME: '/home/ada' }, '/home/ada/.config/stanza'],
    [{ XDG_CONFIG_HOME: 'config', HOME: '/home/ada' }, '/home/ada/.config/stanza'],
    [{ XDG_CONFIG_HOME: '', HOME: '' }, '/home/of-the-user/.config/stanza'],
    [{ HOME: './ada' }, '/home/of-the-user/.config/stanza'],
    [{}, '/home/of-the-user/.config/stanza'],
  ])('for %j is %s', (env, folder) => {
    expect(profileFolder(env, () => '/home/of-the-user')).toBe(folder);
  });

  it.each([undefined, '', 'relative'])('must be set where the home of the user is %j', (home) => {
    expect(() => profileFolder({ HOME: '' }, () => home)).toThrow('The folder for profiles is not known.');
  });
});

describe('a profile', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'stanza-profiles-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const folder = () => join(home, '.config/stanza');

  it.each([
    [{ STANZA_KEY: 'stz_test_1' }, 'STANZA_KEY is set, and STANZA_URL is not.'],
    [{ STANZA_URL: 'https://stanza.test', STANZA_KEY: '' }, 'STANZA_URL is set, and STANZA_KEY is not.'],
  ])('does not stand in for half a pair of variables: %j', async (variables, message) => {
    const env = { HOME: home, ...variables };
    await saveProfile(env, 'default', profile);
    await expect(findProfile(env, undefined)).rejects.toThrow(message);
    expect(await findProfile(env, 'default')).toEqual(profile);
  });

  it('A key comes of variables that end with a line break, as the secrets of pipelines do', async () => {
    const env = { HOME: home, STANZA_URL: ' https://stanza.test\r\n', STANZA_KEY: 'stz_live_1\n' };
    expect(await findProfile(env, undefined)).toEqual(profile);
    await expect(findProfile({ ...env, STANZA_KEY: '\n' }, undefined)).rejects.toThrow('STANZA_KEY is not.');
  });

  it('has the address that every command completes, however it was given', async () => {
    for (const end of ['/', '//', '/v1', '/v1/']) {
      const url = `https://stanza.test/below${end}`;
      await saveProfile({ HOME: home }, 'staging', { ...profile, url });
      expect(await findProfile({ HOME: home }, 'staging')).toMatchObject({
        url: 'https://stanza.test/below',
      });
    }
  });

  it('is kept in a file of its owner, which takes the place of one that others could read', async () => {
    await saveProfile({ HOME: home }, 'default', profile);
    const file = join(folder(), 'profiles.json');
    await writeFile(file, await readFile(file, 'utf8'), { mode: 0o644 });
    const before = await stat(file);
    await saveProfile({ HOME: home }, 'staging', profile);
    const after = await stat(file);
    expect([after.mode & 0o777, after.ino === before.ino]).toEqual([0o600, false]);
    expect(await readdir(folder())).toEqual(['profiles.json']);
  });

  it('names what is wrong with its file, and what mends that', async () => {
    const env = { HOME: home };
    const file = join(folder(), 'profiles.json');
    await mkdir(file, { recursive: true });
    await expect(findProfile(env, undefined)).rejects.toMatchObject({
      message: `${file} cannot be read: EISDIR.`,
      advice: 'Correct its rights, or name another folder with XDG_CONFIG_HOME.',
    });
    await rm(file, { recursive: true });
    await writeFile(file, '{');
    await expect(findProfile(env, undefined)).rejects.toMatchObject({
      message: `${file} is not JSON.`,
      advice: 'Delete it, and log in again.',
    });
  });

  it('A profile that is not complete is refused by name, and kept while others are saved', async () => {
    const env = { HOME: home };
    const file = join(folder(), 'profiles.json');
    await mkdir(folder(), { recursive: true });
    await writeFile(file, '{"old": {"url": "https://stanza.test"}}');
    await saveProfile(env, 'default', profile);
    await expect(findProfile(env, 'old')).rejects.toThrow(`The profile old in ${file} is not complete.`);
    expect(await findProfile(env, 'default')).toEqual(profile);
  });

  it('Saved profiles are named where none is the usual one', async () => {
    const env = { HOME: home };
    await expect(findProfile(env, undefined)).rejects.toThrow('No key is known.');
    await saveProfile(env, 'production', profile);
    await expect(findProfile(env, undefined)).rejects.toMatchObject({
      message: 'There is no profile default; there are production.',
      advice: expect.stringContaining('Name one with --profile'),
    });
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'named %s does not exist until it is saved',
    async (name) => {
      const env = { HOME: home };
      await expect(findProfile(env, name)).rejects.toThrow(`There is no profile ${name}`);
      expect(await removeProfile(env, name)).toBeUndefined();
      await saveProfile(env, name, profile);
      expect(await findProfile(env, name)).toEqual(profile);
      expect(await removeProfile(env, name)).toEqual(profile);
      await expect(findProfile(env, name)).rejects.toThrow(`There is no profile ${name}`);
    },
  );
});
