import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Fault, wordsOf } from './fault.ts';
import { type PlantName, plantNames, plants } from './plant.ts';
import { makePlantedSchedule, makeSchedule, makeShortSchedule } from './schedule.ts';
import { isNoticed, runStory, type StoryEnd } from './story.ts';
import { evidenceOf, tablesOf } from './table.ts';

/**
 * `npm run chaos`: breaks a stack while it is at work, and checks that it kept its word.
 * Ends with 1 when it did not, or when a planted bug went unnoticed.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    short: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    plant: { type: 'string' },
    planted: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
});

/** Mean of the milliseconds between two faults. */
const everyMs = 4_000;
const shortEveryMs = 1_100;
const restMs = 240_000;
const shortRestMs = 120_000;
/** A bug that shows by work that never ends is not waited for as long. */
const plantedRestMs = 45_000;

const started = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${line}`);

/** Says what is wrong with an option, and ends. */
const refuse = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const seedFrom = (text: string | undefined): number => {
  if (text === undefined) return randomInt(1, 1_000_000);
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  return refuse('--seed takes a whole number.');
};

const faultsFor = (seed: number): Fault[] => {
  if (values.short) return makeShortSchedule({ seed, everyMs: shortEveryMs });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) return refuse('--minutes takes a number above 0.');
  return makeSchedule({ seed, durationMs: minutes * 60_000, everyMs, isCluster: values.cluster });
};

const plantFrom = (text: string | undefined): PlantName | undefined => {
  if (text === undefined) return undefined;
  const found = plantNames.find((it) => it === text);
  if (found) return found;
  return refuse(`--plant takes one of ${plantNames.join(', ')}.`);
};

const wayOf = (seed: number): string =>
  values.short
    ? `npm run chaos -- --short --seed ${seed}`
    : `npm run chaos -- ${values.cluster ? '--cluster ' : ''}--minutes ${values.minutes} --seed ${seed}`;

const tell = { tell: say, tellFault: (fault: Fault) => say(`fault ${fault.id}: ${wordsOf(fault)}`) };

/** Puts the tables of a run in front of those of earlier ones, of which the newest of two other seeds stay. */
const writeTables = async (file: string, seed: number, end: StoryEnd): Promise<void> => {
  const text = await readFile(file, 'utf8');
  const [head = '', runs = ''] = text.split(/^## Runs\n/m);
  const earlier = runs.split(/^(?=### )/m).filter((it) => it.startsWith('### '));
  const section = `### \`${wayOf(seed)}\`, ${new Date().toISOString().slice(0, 10)}\n\n${tablesOf(end)}\n`;
  const others = earlier.filter((it) => !it.startsWith(`### \`${wayOf(seed)}\``));
  const kept = [section, ...others.map((it) => it.trim().concat('\n'))].slice(0, 3);
  await writeFile(file, `${head}## Runs\n\n${kept.join('\n')}`);
};

const once = async (seed: number, faults: Fault[], planted: PlantName | undefined): Promise<StoryEnd> => {
  say(`seed ${seed}: ${faults.length} faults${planted ? `, with the bug ${planted}` : ''}`);
  const rest = values.short ? shortRestMs : restMs;
  const options = {
    seed,
    faults,
    isCluster: values.cluster,
    restMs: planted ? plantedRestMs : rest,
    ...tell,
  };
  const end = await runStory(planted ? { ...options, plant: plants[planted] } : options);
  console.log(`\n${tablesOf(end)}\n`);
  for (const line of evidenceOf(end)) console.log(`  ✗ ${line}`);
  return end;
};

const isBroken = ({ verdicts }: StoryEnd): boolean => verdicts.some((it) => it.broken.length > 0);

/** Every bug has to be noticed. */
const runPlanted = async (seed: number, names: readonly PlantName[]): Promise<boolean> => {
  const caught: PlantName[] = [];
  for (const name of names) {
    const { faults: needed = [] } = plants[name];
    const faults = makePlantedSchedule({ seed, everyMs: shortEveryMs }, needed);
    const { verdicts, directory } = await once(seed, faults, name);
    if (isNoticed(plants[name], verdicts)) caught.push(name);
    else console.log(`The logs: ${directory}/logs`);
  }
  console.log(
    `${names.length} planted, ${caught.length} caught${caught.length > 0 ? `: ${caught.join(', ')}` : ''}`,
  );
  return caught.length === names.length;
};

const runSound = async (seed: number): Promise<boolean> => {
  const end = await once(seed, faultsFor(seed), undefined);
  if (values.write) await writeTables(values.write, seed, end);
  if (isBroken(end)) {
    console.log(`Broken. The same faults again: ${wayOf(seed)}\nThe logs: ${end.directory}/logs`);
    return false;
  }
  console.log(`All invariants hold. The same faults again: ${wayOf(seed)}`);
  return true;
};

if (values.cluster && (values.short || values.plant || values.planted))
  refuse('--cluster goes with --minutes and --seed.');
const seed = seedFrom(values.seed);
const chosen = plantFrom(values.plant);
const planted = values.planted ? plantNames : chosen ? [chosen] : [];
const isGood = planted.length > 0 ? await runPlanted(seed, planted) : await runSound(seed);
process.exit(isGood ? 0 : 1);
