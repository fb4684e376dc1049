import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from './wait.ts';

/** A process of a sample. */
export interface Sample {
  process: ChildProcess;
  /** Its output so far. */
  output: () => string;
  /** Its exit code. */
  ended: Promise<number | null>;
}

/** Starts samples, and ends those that a test has left. */
export interface Samples {
  /** @param name of a file next to this one, without its ending */
  run(name: string, env: Record<string, string>): Sample;
  /** Waits until it has started, and answers the address of its probes too. */
  runReady(name: string, env: Record<string, string>): Promise<Sample & { probes: string }>;
  end(): Promise<void>;
}

/** What a process of a sample has of the environment of the tests: compiled code is kept for the next one. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const kept = { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };

/** Samples of one test file. */
export const testSamples = (): Samples => {
  const samples: Sample[] = [];
  const run: Samples['run'] = (name, env) => {
    const script = join(import.meta.dirname, `${name}.ts`);
    const child = spawn(process.execPath, ['--conditions=@stanza/source', '--no-warnings', script], {
      env: { ...kept, STANZA_METRICS_PORT: '0', ...env },
    });
    let written = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        written += text;
      });
    }
    const ended = once(child, 'close').then(([code]): number | null => code);
    const sample = { process: child, output: () => written, ended };
    samples.push(sample);
    return sample;
  };
  return {
    run,
    runReady: async (name, env) => {
      const sample = run(name, env);
      const port = await until(() => /"metrics_port":(\d+)/.exec(sample.output())?.[1]);
      return { ...sample, probes: `http://127.0.0.1:${port}` };
    },
    end: async () => {
      for (const sample of samples.splice(0)) {
        sample.process.kill('SIGKILL');
        await sample.ended;
      }
    },
  };
};
