import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';

const globals = new URL('./jest-globals.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => {
    // Tests import what jest gives to its own sandbox; here it is a module like any other.
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    const found = next(specifier, context);
    // Some packages are written for bundlers, and import JSON without saying so.
    return found.url.endsWith('.json') ? { ...found, importAttributes: { type: 'json' } } : found;
  },
});

const { runFile } = await import('./run-file.ts');

let settings: WorkerSettings | undefined;

const answer = async (path: string): Promise<void> => {
  if (settings === undefined) throw new Error('a file came before the settings');
  const result = await runFile(path, pathToFileURL(path).href, settings);
  const message: FromWorker = { result, memory: process.memoryUsage.rss() };
  process.send?.(message);
};

process.on('message', (message: ToWorker) => {
  if ('settings' in message) settings = message.settings;
  else void answer(message.run);
});
process.once('disconnect', () => process.exit(0));
