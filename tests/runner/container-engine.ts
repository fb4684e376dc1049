import { spawnSync } from 'node:child_process';

/** Whether containers can be run here: an engine answers, and compose knows how to talk to it. */
export const hasContainerEngine = (): boolean =>
  [['info'], ['compose', 'version']].every(
    (args) => spawnSync('docker', args, { stdio: 'ignore', timeout: 20_000 }).status === 0,
  );
