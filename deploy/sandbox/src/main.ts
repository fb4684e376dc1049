import { startSandbox } from './sandbox.ts';
import { readSettings } from './settings.ts';

// Before it says that it listens: a reader of that may end it at once. No state outlives it, so nothing is waited for.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));

const start = async () => {
  const settings = readSettings(process.env);
  // A cluster may have no signing secret yet, and needs its sandbox all the same.
  if (process.env.STANZA_SANDBOX_INTERACTIONS_URL && settings.listener === undefined)
    console.error(
      'Interactions are not sent: set STANZA_CHAT_SIGNING_SECRET, as the delivery service has it.',
    );
  return startSandbox(settings);
};

const sandbox = await start().catch((error: Error) => {
  console.error(`The sandbox does not start: ${error.message}`);
  process.exit(1);
});
console.log(JSON.stringify({ msg: 'listening', url: sandbox.url }));
