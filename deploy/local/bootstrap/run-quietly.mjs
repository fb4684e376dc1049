import { spawn, spawnSync } from 'node:child_process';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
const plainEveryMs = 15_000;

/** Whether steps too short to be worth a line get one too, with tenths of a second. */
const timings = process.argv.includes('--timings');

/** Progress goes to standard error: what a command answers may go into a file. */
const moving = process.stderr.isTTY === true;

/** The steps that are shown as under way, by title, with the moment each began. */
const pending = new Map();
let drawing;

const secondsSince = (start) => Math.round((Date.now() - start) / 1000);

/** One moving line for all steps under way. */
const draw = () => {
  const frame = frames[Math.floor(Date.now() / frameMs) % frames.length];
  const texts = [...pending].map(([title, start]) => `${title} … ${secondsSince(start)} s`);
  process.stderr.write(`\r\x1b[2K  ${frame} ${texts.join(', ')}`);
};

const clear = () => moving && process.stderr.write('\r\x1b[2K');

/** Shows a step as under way: in a moving line on a terminal, else as a plain line now and then. */
const showPending = (title, start) => {
  pending.set(title, start);
  if (moving) {
    drawing ??= setInterval(draw, frameMs);
    return;
  }
  console.error(`  ${title} …`);
  return setInterval(() => console.error(`  ${title} … ${secondsSince(start)} s`), plainEveryMs);
};

const endPending = (title) => {
  pending.delete(title);
  if (pending.size > 0) return;
  clearInterval(drawing);
  drawing = undefined;
};

/** Shows that a step is under way once it has taken `graceMs`; the result shows its end. */
const showProgress = (title, graceMs) => {
  const start = Date.now();
  let timer;
  const grace = setTimeout(() => {
    timer = showPending(title, start);
  }, graceMs);
  return (ok) => {
    clearTimeout(grace);
    clearInterval(timer);
    const shown = pending.has(title) || timer !== undefined;
    endPending(title);
    if (!shown && ok && !timings) return;
    clear();
    const seconds = (Date.now() - start) / 1000;
    console.error(`  ${ok ? '✓' : '✗'} ${title} ${timings ? seconds.toFixed(1) : Math.round(seconds)} s`);
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
