import { setTimeout as pause } from 'node:timers/promises';
import { chargeCredits, setMaintenance } from '@stanza/contracts';
import { withClient } from '@stanza/local/database-client';
import { connectRpc, newContext } from '@stanza/runtime';
import { v7 } from 'uuid';
import { type Around, replicasOf } from './around.ts';
import type { Cause, Group, Mend } from './cause.ts';
import { overdueBatch, rowCauses } from './row-causes.ts';

const context = () => newContext({ deadlineMs: 10_000 });

/** What processes and their surroundings do without harm to requests. */
const quietCauses: readonly Cause[] = [
  {
    alerts: ['ReplicationLag'],
    begin: async ({ cluster: { postgres } }) => {
      const replay = (what: 'pause' | 'resume') =>
        withClient(postgres.standby.url, (client) => client.query(`select pg_wal_replay_${what}()`));
      await replay('pause');
      return () => replay('resume');
    },
  },
  {
    alerts: ['ClockSkew'],
    // Connections that the step makes too old are opened again, all within the two seconds that stand for two minutes.
    consequences: ['DatabasePoolExhausted'],
    begin: ({ clocks }) => {
      const fault = clocks.putOff('template-2', 45_000);
      return () => fault.end();
    },
  },
  {
    alerts: ['InstanceDown'],
    begin: async ({ cluster: { stack } }) => {
      const process = stack.process('queue-ingest-2');
      await process.stop();
      return () => process.start();
    },
  },
  {
    // Its entry rejects at this signal.
    alerts: ['UnhandledRejection'],
    begin: ({ cluster: { stack } }) => {
      stack.kill('compile-2', 'SIGUSR2');
      return () => undefined;
    },
  },
  {
    // A compile service that dies before its answers have left.
    alerts: ['ChargesReversed'],
    begin: async ({ cluster, secrets, organizationId, templateId }) => {
      const login = { user: 'compile', password: secrets.nats.compile ?? '', caller: 'compile' as const };
      const { rpc, close } = await connectRpc({ url: cluster.nats[0]?.url ?? '', ...login });
      const charges = Array.from({ length: 20 }, () => ({
        environment: 'production' as const,
        operation_id: v7(),
        template_id: templateId,
        actor_id: 'test',
      }));
      await rpc.call(chargeCredits, { organization_id: organizationId, charges }, context());
      await close();
      return () => undefined;
    },
  },
];

/** Tells a series that no process here can bring about in a minute. */
const fedCause = (alert: string, series: Readonly<Record<string, (index: number) => number>>): Cause => ({
  alerts: [alert],
  begin: ({ fed }) => {
    let index = 0;
    const tell = () => {
      for (const [name, value] of Object.entries(series)) fed.set(name, value(index));
      index += 1;
    };
    tell();
    const timer = setInterval(tell, 1_000);
    return () => {
      clearInterval(timer);
      for (const name of Object.keys(series)) fed.delete(name);
    };
  },
});

const disk = '{mountpoint="/var/lib/postgresql",fstype="ext4"}';

/**
 * What would take a disk of its own, ten minutes without a platform, hundreds of organizations, or very quick starts.
 */
export const fedCauses: readonly Cause[] = [
  fedCause('DiskFilling', {
    [`node_filesystem_avail_bytes${disk}`]: () => 5,
    [`node_filesystem_size_bytes${disk}`]: () => 100,
  }),
  fedCause('BreakerOpenLong', {
    'stanza_breaker_open_seconds{breaker="chat",service="delivery"}': () => 700,
  }),
  // Shares leave places to the next organization, so it takes hundreds of them to fill a gateway.
  fedCause('GatewayFull', {
    'stanza_share_refused_total{service="gateway",kind="requests",reason="full"}': (index) => index,
  }),
  fedCause('RestartLoop', { 'process_start_time_seconds{service="compile"}': (index) => 1_000 + index }),
];

/** Stops and goes on, several times a second. */
const pulse = ({ cluster: { stack } }: Around, names: readonly string[]): Mend => {
  let lasts = true;
  const send = (signal: NodeJS.Signals) => {
    for (const name of names) stack.kill(name, signal);
  };
  const pulses = (async () => {
    while (lasts) {
      send('SIGSTOP');
      await pause(600);
      send('SIGCONT');
      await pause(150);
    }
  })();
  return async () => {
    lasts = false;
    await pulses;
  };
};

const reload = async ({ sql }: Around, ...settings: readonly string[]): Promise<void> => {
  for (const setting of settings) await sql(`alter system ${setting}`);
  await sql('select pg_reload_conf()');
};

const slowCompile: Cause = {
  alerts: ['CompileLatency', 'EventLoopLag'],
  consequences: ['ApiAvailability'],
  begin: (around) => pulse(around, replicasOf('compile')),
};

const standbyAway: Cause = {
  alerts: ['StandbyMissing'],
  // Its own exporter tells it too.
  consequences: ['PostgresDown'],
  begin: async (around) => {
    // A primary that waits for it would take no commits.
    await reload(around, 'reset synchronous_standby_names');
    const { process } = around.cluster.postgres.standby;
    await process.stop();
    return () => process.start();
  },
};

const lateBatch: Cause = {
  alerts: ['QueueClosing'],
  begin: async (around) => {
    const letGo = await overdueBatch(around, 0.5);
    await letGo();
    return () => undefined;
  },
};

const platformBroken: Cause = {
  alerts: ['UnknownOutcomes', 'MessageDelivery'],
  consequences: ['ApiAvailability'],
  begin: async ({ cluster: { world } }) => {
    await world.sandbox.setFault({ method: 'chat.postMessage', mode: 'reset_before' });
    return () => world.sandbox.clearFaults();
  },
};

const poolExhausted: Cause = {
  alerts: ['DatabasePoolExhausted'],
  consequences: ['ApiAvailability', 'MessageDelivery', 'QueueClosing', 'CompileLatency'],
  begin: async ({ hold, api }) => {
    const letGo = await hold('lock table delivery.messages in access exclusive mode');
    let lasts = true;
    const readers = Array.from({ length: 40 }, async () => {
      while (lasts) await api.get('/v1/messages').catch(() => pause(100));
    });
    return async () => {
      lasts = false;
      await letGo();
      await Promise.all(readers);
    };
  },
};

const natsHung: Cause = {
  alerts: ['NatsNodeHung'],
  // Clients are with another server after seconds, which are minutes here.
  consequences: ['NatsDisconnected', 'ApiAvailability', 'CompileLatency', 'MessageDelivery', 'QueueClosing'],
  begin: async ({ cluster: { nats } }) => {
    // The one whose address processes are given: they begin there.
    await nats[0]?.process.freeze();
    return () => nats[0]?.process.thaw();
  },
};

const natsAway: Cause = {
  alerts: ['NatsDisconnected', 'ApiAvailability'],
  consequences: [
    'CompileLatency',
    'MessageDelivery',
    'QueueClosing',
    'NatsNodeHung',
    'ServiceDown',
    'RestartLoop',
  ],
  begin: async ({ cluster: { nats } }) => {
    await Promise.all(nats.map((it) => it.process.stop()));
    return () => Promise.all(nats.map((it) => it.process.start()));
  },
};

const databaseAway: Cause = {
  alerts: ['DatabaseUnreachable', 'PostgresDown', 'ApiAvailability'],
  consequences: [
    'CompileLatency',
    'DatabasePoolExhausted',
    'MessageDelivery',
    'QueueClosing',
    'QueueClosingStalled',
  ],
  begin: async ({ cluster: { postgres } }) => {
    await postgres.primary.process.stop();
    return () => postgres.primary.process.start();
  },
};

const archiveFailing: Cause = {
  alerts: ['ArchiveFailing'],
  consequences: ['ApiAvailability', 'PostgresDown', 'CompileLatency', 'MessageDelivery', 'QueueClosing'],
  begin: async (around) => {
    const { process } = around.cluster.postgres.primary;
    await reload(around, 'set archive_mode = on', "set archive_command = 'false'");
    // The mode is read at a start.
    await process.stop();
    await process.start();
    await around.sql('select pg_switch_wal()');
    return async () => {
      await reload(around, "set archive_command = 'true'");
      await around.sql('select pg_switch_wal()');
    };
  },
};

const serviceDown: Cause = {
  alerts: ['ServiceDown'],
  consequences: ['ApiAvailability', 'CompileLatency', 'MessageDelivery'],
  begin: async ({ cluster: { stack } }) => {
    const both = replicasOf('template').map((name) => stack.process(name));
    await Promise.all(both.map((it) => it.stop()));
    return () => Promise.all(both.map((it) => it.start()));
  },
};

const maintenance: Cause = {
  alerts: ['MaintenanceLeftOn'],
  // Each request is answered 503: the page for a planned maintenance is silenced.
  consequences: ['ApiAvailability'],
  begin: async ({ cluster: { world } }) => {
    const set = (on: boolean) =>
      world.rpc.call(setMaintenance, { on, message: null, retry_after: 60 }, context());
    await set(true);
    return () => set(false);
  },
};

/** All causes, in the order in which they are tried; what breaks requests comes last. */
export const groups: Readonly<Record<string, Group>> = {
  'rows, and processes beside requests': [...rowCauses, ...quietCauses, ...fedCauses],
  'slow processors, a standby away, a late batch': [slowCompile, standbyAway, lateBatch],
  'a platform that resets connections': [platformBroken],
  'a locked table': [poolExhausted],
  'a NATS server that hangs': [natsHung],
  'NATS away': [natsAway],
  'the database away': [databaseAway],
  'a service down, and an archive that takes nothing': [serviceDown, archiveFailing],
  'maintenance left on': [maintenance],
};
