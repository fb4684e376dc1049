import { startSandbox } from './sandbox.ts';
import { readSettings } from './settings.ts';

const sandbox = await startSandbox(readSettings(process.env));
console.log(JSON.stringify({ msg: 'listening', url: sandbox.url }));

// No state outlives the process, so there is nothing to wait for.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
