import { describe, expect, it } from '@jest/globals';
import { activateTemplateVersion, appendTemplateVersion, compileTemplate } from '@stanza/contracts';
import { cases } from '@stanza/test-kit/cases';
import { testStack } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Api } from '../kit/api.ts';
import { openWorld } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';

/** An organization activates at most 120 times a minute, so several share the loop. */
const organizations = cases(10, 4);
const activationsOfEach = cases(100, 15);

describe('a compile that starts after the answer of an activation', () => {
  const world = sharedByTests(openWorld);

  const versionCompiled = async (api: Api, template_id: string): Promise<string> =>
    (await api.ok(compileTemplate, { body: { template_id, data: { service: 'api', version: '1' } } }))
      .version_id;

  /** Activates two versions in turn; answers how many compiles used another version than the one just activated. */
  const takeTurns = async (): Promise<{ compiles: number; stale: number }> => {
    const organization = await world().newOrganization({ connected: false, credits: 10_000 });
    const api = world().api.with((await organization.key()).key);
    const { id, versionId } = await liveTemplate(api);
    const next = await api.ok(appendTemplateVersion, { params: { id }, body: { blocks: deployBlocks } });
    let stale = 0;
    let compiles = 0;
    for (let turn = 0; turn < activationsOfEach; turn += 1) {
      const version_id = turn % 2 === 0 ? next.id : versionId;
      // One is under way all the while, so that replicas have asked for the previous version.
      const [, ...seen] = await Promise.all([
        versionCompiled(api, id),
        api
          .ok(activateTemplateVersion, { params: { id, version_id } })
          .then(() => Promise.all([versionCompiled(api, id), versionCompiled(api, id)])),
      ]);
      stale += seen.flat().filter((it) => it !== version_id).length;
      compiles += 2;
    }
    return { compiles, stale };
  };

  const compilesOf = async (metricsUrl: string): Promise<number> => {
    const text = await (await fetch(metricsUrl)).text();
    const lines = text.split('\n').filter((line) => /^stanza_rpc_\w*count\{.*compile-template/.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };

  const sharesOfReplicas = (): Promise<number[]> =>
    Promise.all(
      Object.entries(testStack().metrics)
        .filter(([name]) => name.startsWith('compile'))
        .map(([, url]) => compilesOf(url)),
    );

  it('uses that version, turn after turn, whichever replica compiles', async () => {
    const before = await sharesOfReplicas();
    const loops = await Promise.all(Array.from({ length: organizations }, takeTurns));
    expect(loops.reduce((sum, { stale }) => sum + stale, 0)).toBe(0);
    expect(loops.reduce((sum, { compiles }) => sum + compiles, 0)).toBe(
      2 * organizations * activationsOfEach,
    );
    const after = await sharesOfReplicas();
    expect(after).toHaveLength(2);
    for (const [replica, compiles] of after.entries()) expect(compiles).toBeGreaterThan(before[replica] ?? 0);
  });
});
