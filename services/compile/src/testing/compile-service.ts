import { type Block, getPreviewSource, type InputOf, type Principal, type ReplyOf } from '@stanza/contracts';
import { createMetrics, handle, type RpcClient, systemClock } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { charging } from '../charges.ts';
import { liveVersions, type Render, rendering } from '../rendering.ts';
import { runWhole } from '../runs/runs.ts';
import { VersionSources } from '../version-sources.ts';
import { greeting, Neighbours } from './neighbours.ts';

/** Metrics that are not scraped. */
export const testMetrics = () => createMetrics({ service: 'compile', processMetrics: false });

/** Assembles the parts of the service like `main.ts`. */
export const dependenciesOn = (rpc: RpcClient) => {
  const metrics = testMetrics();
  const sources = new VersionSources(rpc, { entries: 100, bytes: 10_000_000 }, metrics);
  const liveVersion = liveVersions(rpc, metrics);
  const render: Render = rendering({ liveVersion, sources, run: runWhole, clock: systemClock });
  return { render, charge: charging(rpc, metrics) };
};

/** The service with stand-ins for its neighbours. */
export const compileService = () => {
  const neighbours = new Neighbours();
  const rpc = inProcessRpc(neighbours.handlers);
  return { neighbours, rpc, ...dependenciesOn(rpc) };
};

type PreviewSource = ReplyOf<typeof getPreviewSource>;

/** The parts that previews work with, next to a version of a template that they may read. */
export const previewing = (
  by: Principal,
  source: Omit<PreviewSource, 'version_id'>,
  blocks: Block[] = greeting,
) => {
  const neighbours = new Neighbours();
  const { id: templateId, versionId } = neighbours.activate(by, blocks, { defaults: source });
  const asked: InputOf<typeof getPreviewSource>[] = [];
  const template = handle(getPreviewSource, async ({ input }) => {
    asked.push(input);
    return { version_id: versionId, ...source };
  });
  const rpc = inProcessRpc([...neighbours.handlers, template]);
  const sources = new VersionSources(rpc, { entries: 10, bytes: 1_000_000 }, testMetrics());
  const liveVersion = liveVersions(rpc, testMetrics());
  return { rpc, sources, run: runWhole, liveVersion, templateId, versionId, asked, neighbours };
};
