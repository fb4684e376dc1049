/** The process that creates the streams and consumers of the services, and restores them when NATS has lost them. */
import { metricCatalogue, streamKeeper } from '@stanza/contracts';
import {
  connectBroker,
  createLogger,
  createMetrics,
  loadSettings,
  StreamKeeper,
  serveHealth,
} from '@stanza/runtime';
import { settings } from './settings.ts';

/** Milliseconds to wait for NATS at the start. */
const patienceMs = 60_000;
/** Exit code for the container engine: restart the process. */
const unavailable = 69;

const set = loadSettings(settings, process.env);
const log = createLogger({ name: streamKeeper, level: set.STANZA_LOG_LEVEL });
const metrics = createMetrics({ service: streamKeeper, processMetrics: true });
let keeper: StreamKeeper | undefined;
await serveHealth({
  port: set.STANZA_METRICS_PORT,
  host: set.STANZA_METRICS_HOST,
  metrics,
  illness: () => undefined,
  unreadiness: () => (keeper?.isComplete ? undefined : 'streams are missing'),
});

const broker = await connectBroker({
  url: set.STANZA_NATS_URL,
  user: set.STANZA_NATS_USER,
  password: set.STANZA_NATS_PASSWORD,
  caller: streamKeeper,
  log,
  patienceMs,
  onLost: (reason) => {
    log.fatal({ reason }, 'the process cannot go on');
    process.exit(unavailable);
  },
});
metrics.gauge(metricCatalogue.runtime.natsConnected, (gauge) => gauge.set(broker.connected ? 1 : 0));
keeper = new StreamKeeper({ broker, log, replicas: set.STANZA_STREAM_REPLICAS });
keeper.start();

let isEnding = false;
const end = async (): Promise<void> => {
  if (isEnding) process.exit(1);
  isEnding = true;
  await keeper?.stop();
  await broker.close();
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end());
