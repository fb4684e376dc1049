import { defineService, handlersFrom } from '@stanza/runtime';
import { charging } from './charges.ts';
import { settings } from './config.ts';
import { impactTurns } from './impact.ts';
import * as operations from './operations/index.ts';
import { liveVersions, rendering } from './rendering.ts';
import { Runs } from './runs/runs.ts';
import { VersionSources } from './version-sources.ts';

/** The compile service. */
export const service = defineService({
  name: 'compile',
  settings,
  database: false,
  async start({ settings, log, rpc, metrics, clock, onClose }) {
    const limits = {
      entries: settings.STANZA_PROGRAMS,
      bytes: settings.STANZA_PROGRAMS_MB * 1_000_000,
    };
    const sources = new VersionSources(rpc, limits, metrics);
    const runs = new Runs({ threads: settings.STANZA_COMPILE_THREADS, metrics, log });
    onClose(() => runs.close());
    const { run } = runs;
    const liveVersion = liveVersions(rpc, metrics);
    const render = rendering({ liveVersion, sources, run, clock });
    const dependencies = {
      liveVersion,
      sources,
      run,
      render,
      charge: charging(rpc, metrics),
      rpc,
      clock,
      impacts: impactTurns(metrics),
    };
    return { operations: handlersFrom(operations, dependencies) };
  },
});
