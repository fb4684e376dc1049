import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Advice } from './advice.mjs';

const beatMs = 1_000;
/** A holder that has not touched its lock for so long is gone, whoever has its number now. */
const staleMs = 10_000;
const pollMs = 200;

const ageOf = (file) => {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};

const runs = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const holderIsGone = (file) => {
  const age = ageOf(file);
  if (age === undefined) return false;
  if (age > staleMs) return true;
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // An empty file was created this moment and is about to be written.
    return pid > 0 && !runs(pid);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
};

/** Only one of several waiting processes gets to move the stale file away. */
const removeStale = (file) => {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
};

const tryToTake = (file) => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
};

const prepare = (folder) => {
  try {
    mkdirSync(folder, { recursive: true });
    const probe = join(folder, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new Advice(
      `The folder ${folder} cannot be written: ${error.message}`,
      'Make the checkout writable for your user (an earlier start as root may own a part of it).',
    );
  }
};

/**
 * Runs `work` while no other process does the same for this checkout; waits for one that does. The lock of a killed
 * process is recognised by its number, and by its not being touched any more.
 * @template T
 * @param {string} folder where the lock file is
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const underLock = async (folder, work) => {
  prepare(folder);
  const file = join(folder, 'setup.lock');
  let told = false;
  while (!tryToTake(file)) {
    if (holderIsGone(file)) removeStale(file);
    else {
      if (!told) console.error('  Another command is setting up this checkout; waiting for it …');
      told = true;
      await delay(pollMs);
    }
  }
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
};
