import { type CallerName, internalOperation, type Principal } from '@stanza/contracts';
import { z } from 'zod';
import { type Clock, systemClock } from '../clock.ts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { type Logger, silentLogger } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { noTracing, type Tracing } from '../observability/tracing.ts';
import { NatsRpcClient } from '../rpc/client.ts';
import type { AnyHandler } from '../rpc/handler.ts';
import { RpcServer } from '../rpc/server.ts';

/** An operation for tests of the wire: any input, any reply. */
export const echo = internalOperation({
  id: 'echo',
  service: 'organization',
  summary: 'Returns its input',
  callers: ['gateway'],
  input: z.unknown(),
  reply: z.unknown(),
});

/** {@link echo} as an operation that changes nothing. */
export const read = internalOperation({
  id: 'read',
  service: 'organization',
  readOnly: true,
  summary: 'Returns its input',
  callers: ['gateway'],
  input: z.unknown(),
  reply: z.unknown(),
});

/** {@link echo} as an operation that changes nothing the second time. */
export const chargeOnce = internalOperation({
  id: 'charge-once',
  service: 'organization',
  once: true,
  summary: 'Returns its input',
  callers: ['gateway'],
  input: z.unknown(),
  reply: z.unknown(),
});

/** A caller with a principal. */
export const somebody: Principal = {
  organization_id: '019a0000-0000-7000-8000-000000000001',
  environment: 'production',
  actor: { type: 'api_key', id: '019a0000-0000-7000-8000-000000000002' },
  role: 'member',
  scopes: ['templates:read', 'messages:create'],
};

/** Options of {@link testProcess}. */
export interface TestProcessOptions {
  url: string;
  caller?: CallerName;
  user?: string;
  log?: Logger;
  tracing?: Tracing;
  clock?: Clock;
  patienceMs?: number;
  lostAfterMs?: number;
  onLost?: (reason: string) => void;
}

/** One process of a test: its own connection, client and metrics. */
export interface TestProcess {
  broker: Broker;
  rpc: NatsRpcClient;
  metrics: Metrics;
  serve(handlers: readonly AnyHandler[], concurrency?: number): Promise<RpcServer>;
}

/** Connects a process. */
export const testProcess = async (options: TestProcessOptions): Promise<TestProcess> => {
  const { caller = 'gateway', tracing = noTracing, clock = systemClock, log = silentLogger() } = options;
  const broker = await connectBroker({
    ...options,
    caller,
    log,
    ...(options.user !== undefined && { password: 'secret' }),
  });
  const metrics = createMetrics({ service: caller, processMetrics: false });
  const parts = { broker, log, metrics, tracing, clock };
  return {
    broker,
    metrics,
    rpc: new NatsRpcClient(parts),
    serve: async (handlers, concurrency = 256) => {
      const server = new RpcServer({ ...parts, service: 'organization', handlers, concurrency });
      await broker.nats.flush();
      return server;
    },
  };
};
