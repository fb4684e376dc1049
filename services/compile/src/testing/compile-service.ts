import { createMetrics, type RpcClient, systemClock } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { charging } from '../charges.ts';
import { liveVersions } from '../live-versions.ts';
import { Programs } from '../programs.ts';
import { type Render, rendering } from '../rendering.ts';
import { Neighbours } from './neighbours.ts';

/** Metrics that are not scraped. */
export const testMetrics = () => createMetrics({ service: 'compile', processMetrics: false });

/** Assembles the parts of the service like `main.ts`. */
export const dependenciesOn = (rpc: RpcClient) => {
  const metrics = testMetrics();
  const programs = new Programs(rpc, { entries: 100, bytes: 10_000_000 }, metrics);
  const render: Render = rendering({ liveVersion: liveVersions(rpc, metrics), programs, clock: systemClock });
  return { render, charge: charging(rpc, metrics) };
};

/** The service with stand-ins for its neighbours. */
export const compileService = () => {
  const neighbours = new Neighbours();
  const rpc = inProcessRpc(neighbours.handlers);
  return { neighbours, rpc, ...dependenciesOn(rpc) };
};
