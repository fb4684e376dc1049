import { startSandbox } from './sandbox.ts';
import { readSettings } from './settings.ts';

const start = async () => startSandbox(readSettings(process.env));

const sandbox = await start().catch((error: Error) => {
  console.error(`The sandbox does not start: ${error.message}`);
  process.exit(1);
});
console.log(JSON.stringify({ msg: 'listening', url: sandbox.url }));

// No state outlives the process, so there is nothing to wait for.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
