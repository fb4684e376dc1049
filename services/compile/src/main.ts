import { handlersFrom, runService } from '@stanza/runtime';
import { charging } from './charges.ts';
import { settings } from './config.ts';
import { impactTurns } from './impact.ts';
import { liveVersions } from './live-versions.ts';
import * as operations from './operations/index.ts';
import { Programs } from './programs.ts';
import { rendering } from './rendering.ts';

await runService({
  name: 'compile',
  settings,
  database: false,
  async start({ settings, rpc, metrics, clock }) {
    const limits = {
      entries: settings.STANZA_PROGRAMS,
      bytes: settings.STANZA_PROGRAMS_MB * 1_000_000,
    };
    const programs = new Programs(rpc, limits, metrics);
    const liveVersion = liveVersions(rpc, metrics);
    const render = rendering({ liveVersion, programs, clock });
    const dependencies = {
      liveVersion,
      programs,
      render,
      charge: charging(rpc, metrics),
      rpc,
      clock,
      impacts: impactTurns(metrics),
    };
    return { operations: handlersFrom(operations, dependencies) };
  },
});
