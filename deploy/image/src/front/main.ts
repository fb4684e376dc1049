/** The process of the front: one address for all gateways. */
import { lookup } from 'node:dns/promises';
import { metricCatalogue } from '@stanza/contracts';
import {
  createLogger,
  createMetrics,
  doorOf,
  loadSettings,
  SettingsError,
  serveHealth,
} from '@stanza/runtime';
import { createFront } from './front.ts';
import { Gateways } from './gateways.ts';
import { settings } from './settings.ts';

/** Milliseconds; longer than any request, and shorter than the grace period of the container. */
const drainMs = 25_000;

const readSettings = () => {
  try {
    return loadSettings(settings, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const problem of error.problems) process.stderr.write(`front: ${problem}\n`);
    // As the services do.
    return process.exit(78);
  }
};

const set = readSettings();
const { host, port } = set.STANZA_FRONT_GATEWAYS;
const log = createLogger({ name: 'front', level: set.STANZA_LOG_LEVEL });
const metrics = createMetrics({ service: 'front', processMetrics: true });
const unanswered = metrics.counter(metricCatalogue.front.unanswered);

const server = createFront({
  connections: set.STANZA_FRONT_CONNECTIONS,
  trusted: set.STANZA_FRONT_TRUSTED_PROXIES,
  gateways: new Gateways({
    find: async () => (await lookup(host, { all: true })).map(({ address }) => ({ host: address, port })),
    now: () => performance.now(),
  }),
  onUnanswered: (why) => unanswered.inc({ why }),
});

const door = doorOf(server, drainMs);

await new Promise<void>((resolve, reject) => {
  server.once('error', reject).listen(set.STANZA_PORT, set.STANZA_HOST, resolve);
});
let isEnding = false;
await serveHealth({
  port: set.STANZA_METRICS_PORT,
  host: '0.0.0.0',
  metrics: [metrics],
  illness: () => undefined,
  unreadiness: () => (isEnding ? 'it ends' : undefined),
});
log.info({ address: server.address() }, 'listening');

const end = async (): Promise<void> => {
  if (isEnding) process.exit(1);
  isEnding = true;
  door.announceClosing();
  await door.close();
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end());
