import type { CallerName } from '@stanza/contracts';
import { systemClock } from '../clock.ts';
import { connectBroker } from '../nats/broker.ts';
import { type Logger, silentLogger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { noTracing } from '../observability/tracing.ts';
import { NatsRpcClient, type RpcClient } from './client.ts';

/** Options of a caller outside the services. */
export interface ConnectRpcOptions {
  url: string;
  user?: string;
  password?: string;
  caller: CallerName;
  log?: Logger;
  /** Milliseconds for which the server is dialled; once unless given. */
  patienceMs?: number;
}

/**
 * Connects a short-lived caller, such as the operator's command line, to the services.
 * @throws the NATS client's error when the server cannot be reached
 */
export const connectRpc = async (
  options: ConnectRpcOptions,
): Promise<{ rpc: RpcClient; close: () => Promise<void> }> => {
  const log = options.log ?? silentLogger();
  const broker = await connectBroker({ ...options, log });
  const metrics = createMetrics({ service: options.caller, processMetrics: false });
  const rpc = new NatsRpcClient({ broker, log, metrics, tracing: noTracing, clock: systemClock });
  return { rpc, close: () => broker.close() };
};
