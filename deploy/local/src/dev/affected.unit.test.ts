import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { projectRoot } from '../project.ts';
import { affectedBy, isRunSource } from './affected.ts';
import { readWorkspaces } from './workspaces.ts';

const workspaces = readWorkspaces(projectRoot);
const processesFor = (...paths: string[]): string[] => affectedBy(paths, workspaces).processes;

describe('a changed source', () => {
  it('of a service restarts only that service', () => {
    expect(processesFor('services/delivery/src/dependencies.ts')).toEqual(['delivery']);
    expect(processesFor('services/queue-ingest/src/jobs/close-batches.ts')).toEqual(['queue-ingest']);
  });

  it('of a shared package restarts the services that need it, directly or through another', () => {
    expect(processesFor('shared/runtime/src/observability/log.ts')).toEqual([...serviceNames].sort());
    expect(processesFor('shared/contracts/src/index.ts')).toEqual([...serviceNames].sort());
    const chain = [
      { name: '@stanza/one', folder: 'services/compile', dependencies: ['@stanza/two'] },
      { name: '@stanza/two', folder: 'shared/two', dependencies: ['@stanza/three'] },
      { name: '@stanza/three', folder: 'shared/three', dependencies: ['@stanza/two'] },
      { name: '@stanza/other', folder: 'services/template', dependencies: [] },
    ];
    expect(affectedBy(['shared/three/src/a.ts'], chain).processes).toEqual(['compile']);
  });

  it('of the sandbox restarts only the sandbox, though tests of services import it', () => {
    expect(processesFor('deploy/sandbox/src/main.ts')).toEqual(['sandbox']);
  });

  it('of the console restarts no process, since none runs it', () => {
    expect(processesFor('services/console/src/json.ts')).toEqual([]);
  });

  it('of the stack restarts nothing, and says that the runner has changed', () => {
    expect(affectedBy(['deploy/local/src/stack.ts'], workspaces)).toEqual({
      processes: [],
      migrations: false,
      permissions: false,
      runner: true,
    });
  });

  it('restarts each process once for many files', () => {
    expect(
      processesFor('services/gateway/src/a.ts', 'services/gateway/src/b.ts', 'services/compile/src/c.ts'),
    ).toEqual(['compile', 'gateway']);
  });

  it('a change of the contracts renews the permissions in NATS', () => {
    expect(affectedBy(['shared/contracts/src/operations/queues.ts'], workspaces).permissions).toBe(true);
    expect(affectedBy(['shared/runtime/src/id.ts'], workspaces).permissions).toBe(false);
  });

  it('that is a migration runs the migrations first', () => {
    const { processes, migrations } = affectedBy(
      ['services/template/src/store/migrations/1764100000000-templates.ts'],
      workspaces,
    );
    expect([processes, migrations]).toEqual([['template'], true]);
  });

  it.each([
    'services/delivery/src/domain/retry.unit.test.ts',
    'services/delivery/src/testing/receiver.ts',
    'services/delivery/dist/main.js',
    'services/delivery/package.json',
    'services/delivery/src/.parts.ts.swp',
    'services/delivery/src/dependencies.ts~',
    'services/delivery/src/4913',
    'tests/e2e/sending.e2e.test.ts',
    'docs/logs.md',
  ])('belongs to no process in %s', (path) => {
    expect(isRunSource(path)).toBe(false);
    expect(affectedBy([path], workspaces)).toEqual({
      processes: [],
      migrations: false,
      permissions: false,
      runner: false,
    });
  });
});
