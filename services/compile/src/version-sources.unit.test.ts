import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { Tenant } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { testMetrics } from './testing/compile-service.ts';
import { greeting, Neighbours, somebody } from './testing/neighbours.ts';
import { VersionSources } from './version-sources.ts';

describe('the cache of versions', () => {
  const open = (limits = { entries: 100, bytes: 10_000_000 }) => {
    const neighbours = new Neighbours();
    const rpc = inProcessRpc(neighbours.handlers);
    const principal = somebody();
    const tenant = Tenant.of(principal);
    const sources = new VersionSources(rpc, limits, testMetrics());
    return {
      rpc,
      newVersion: () => neighbours.activate(principal, greeting).versionId,
      get: (versionId: string, fallbackText: string | null = null) =>
        sources.get({ tenant, versionId, fallbackText }),
    };
  };

  it('reads a version once, for concurrent and later requests', async () => {
    const { rpc, newVersion, get } = open();
    const version = newVersion();
    const [first, ...others] = await Promise.all([get(version), get(version), get(version)]);
    expect(first).toMatchObject({ json: JSON.stringify(greeting), fallbackText: null });
    for (const source of [...others, await get(version)]) expect(source).toBe(first);
    expect(rpc.calls).toHaveLength(1);
  });

  it('keeps another source for another fallback text of the template', async () => {
    const { rpc, newVersion, get } = open();
    const version = newVersion();
    expect(await get(version, 'Hello')).not.toBe(await get(version));
    expect(await get(version, 'Hello')).toBe(await get(version, 'Hello'));
    expect(rpc.calls).toHaveLength(2);
  });

  it.each([
    ['many', { entries: 2, bytes: 10_000_000 }],
    ['large', { entries: 100, bytes: JSON.stringify(greeting).length * 36 * 2 }],
  ])('evicts the least recently used version when they become too %s', async (_, limits) => {
    const { rpc, newVersion, get } = open(limits);
    const [one, two, three] = [newVersion(), newVersion(), newVersion()];
    for (const version of [one, two, three, three, two]) await get(version);
    expect(rpc.calls).toHaveLength(3);
    await get(one);
    expect(rpc.calls).toHaveLength(4);
  });

  it('caches no failure: the next request tries again', async () => {
    const { rpc, get, newVersion } = open();
    const unknown = somebody().organization_id;
    const failed = await Promise.allSettled([get(unknown), get(unknown)]);
    for (const outcome of failed) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'version_not_found' } });
    }
    await expect(get(unknown)).rejects.toBeInstanceOf(CodedError);
    expect(rpc.calls).toHaveLength(2);
    expect((await get(newVersion())).json).toBe(JSON.stringify(greeting));
  });
});
