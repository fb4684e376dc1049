import { join } from 'node:path';
import { compileTemplate } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import { startTestNats } from '@stanza/runtime/testing/nats';
import { liveTemplate } from '../../kit/templates.ts';
import { inTurns, longWarmUp, rowOf, type Target } from '../http-load.ts';
import { onStackOf } from '../on-stack.ts';
import { blocks, data } from '../ordinary-message.ts';
import { ownService, type PeerProcess, startPeer, stopPeer } from '../peer-process.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const what = 'POST /v1/templates/compile, metered, 64 connections';
const floorFacts = {
  what,
  peer: 'floor: express 5 + one NATS echo of the same bytes',
  budget: '≥ 0.6',
  aim: '≥ 0.7',
};
const nestFacts = {
  what,
  peer: 'the same work on @nestjs/microservices 12 over NATS with handlebars',
  budget: '≥ 2',
  aim: '≥ 3',
};
const ownFacts = { what, peer: ownService.peer, budget: '≥ 0.8', aim: '≥ 1.2' };
const scriptOf = (name: string): string => join(import.meta.dirname, name);

/** The same program as the stack's broker, but one of the peers' own: the stack's broker allows no other subjects. */
const peerEnvironment = (
  info: Stack['info'],
  natsUrl: string,
  key: string,
  templateId: string,
  answer: unknown,
) => ({
  BENCH_NATS_URL: natsUrl,
  BENCH_DATABASE_URL: info.database_url,
  BENCH_KEY: key,
  BENCH_TEMPLATE_ID: templateId,
  BENCH_ANSWER: JSON.stringify(answer),
});

/** Compiles end to end next to the floor and the peer, in turns, on one stack. */
export const compileBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, {}, async ({ stack, world }) => {
    const nats = await startTestNats();
    const peers: PeerProcess[] = [];
    try {
      const organization = await world.newOrganization({
        credits: 100_000_000,
        tier: 'enterprise',
        connected: false,
      });
      const { key } = await organization.key();
      const api = world.api.with(key);
      const { id } = await liveTemplate(api, blocks);
      const body = { template_id: id, data };
      const env = peerEnvironment(stack.info, nats.url, key, id, await api.ok(compileTemplate, { body }));
      const floor = await startPeer(scriptOf('floor.ts'), env);
      peers.push(floor);
      const nest = await startPeer(scriptOf('nest.ts'), env);
      peers.push(nest);
      const own = await startPeer(ownService.script, { ...env, BENCH_PLATFORM_URL: stack.info.sandbox_url });
      peers.push(own);
      const headers = { authorization: `Bearer ${key}` };
      const { postgres = 0 } = stack.info.pids;
      const targets: Target[] = [
        { url: `${stack.info.base_url}/v1/templates/compile`, headers, pids: stack.info.pids },
        { url: `${floor.url}/compile`, headers, pids: { processes: floor.pid, nats: nats.pid ?? 0 } },
        { url: `${nest.url}/compile`, headers, pids: { processes: nest.pid, nats: nats.pid ?? 0, postgres } },
        { url: `${own.url}/compile`, headers, pids: { process: own.pid, postgres } },
      ];
      const [ours = [], floors = [], nests = [], owns = []] = await inTurns(
        targets,
        JSON.stringify(body),
        mode,
        longWarmUp,
      );
      return [rowOf(ours, floors, floorFacts), rowOf(ours, nests, nestFacts), rowOf(ours, owns, ownFacts)];
    } finally {
      await Promise.all(peers.map(stopPeer));
      await nats.close();
    }
  });
