import { spawn, spawnSync } from 'node:child_process';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
const plainEveryMs = 15_000;

/** Shows that something is under way: a moving line on a terminal, else a plain line now and then. */
const showProgress = (title, graceMs) => {
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  const moving = process.stdout.isTTY === true;
  let timer;
  const draw = () => {
    const frame = frames[Math.floor((Date.now() - start) / frameMs) % frames.length];
    if (moving) process.stdout.write(`\r\x1b[2K  ${frame} ${title} … ${seconds()} s`);
    else console.log(`  ${title} … ${seconds()} s`);
  };
  const grace = setTimeout(() => {
    if (!moving) console.log(`  ${title} …`);
    timer = setInterval(draw, moving ? frameMs : plainEveryMs);
  }, graceMs);
  return (ok) => {
    clearTimeout(grace);
    clearInterval(timer);
    if (timer === undefined && ok) return;
    if (moving) process.stdout.write('\r\x1b[2K');
    console.log(`  ${ok ? '✓' : '✗'} ${title} ${seconds()} s`);
  };
};

/** On Linux the kernel ends the program with this process, so that a killed install does not go on unseen. */
const tied = (command, args) =>
  process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', '--', 'true']).status === 0
    ? ['setpriv', ['--pdeathsig', 'TERM', '--', command, ...args]]
    : [command, args];

/**
 * Runs a program with a progress line in place of its output.
 * @param {string} title what a person sees
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {number} graceMs nothing is shown of what succeeds within this time
 * @returns {Promise<{ ok: boolean, output: string }>} whether it succeeded, and all it wrote
 */
export const runQuietly = async (title, command, args, options, graceMs = 0) => {
  const finish = showProgress(title, graceMs);
  const child = spawn(...tied(command, args), { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const ok = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  finish(ok);
  return { ok, output: output.trim() };
};
