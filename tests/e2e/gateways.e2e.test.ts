import { describe, expect, it } from '@jest/globals';
import { compileTemplate } from '@stanza/contracts';
import { testGateways } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import { Api, type ApiAnswer } from '../kit/api.ts';
import { openWorld } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';

/** Requests under way at one time. */
const atOnce = 12;

const validatePath = '/v1/templates/validate';

describe('gateways over one database', () => {
  const world = sharedByTests(openWorld);

  /** Makes requests, some at a time, and answers what each was answered. */
  const ask = async (count: number, request: (index: number) => Promise<ApiAnswer>): Promise<ApiAnswer[]> => {
    const answers: ApiAnswer[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) {
        next += 1;
        answers.push(await request(next));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return answers;
  };

  const at = <T>(all: readonly T[], index: number): T => {
    const found = all[index % all.length];
    if (found === undefined) throw new Error('the list is empty');
    return found;
  };

  it('let an organization make 120 authoring requests a minute, whatever its keys, sessions and environments', async () => {
    const organization = await world().newOrganization({ connected: false });
    const template = await liveTemplate(world().api.with((await organization.key()).key));
    const tokens = [
      (await organization.key()).key,
      (await organization.key({ role: 'member' })).key,
      (await organization.key({ environment: 'preview' })).key,
      (await organization.session({ role: 'admin' })).token,
    ];
    const apis = testGateways().flatMap((base) => tokens.map((token) => new Api(base, token)));
    const answers = await ask(360, (index) => at(apis, index).post(validatePath, { blocks: deployBlocks }));
    const passed = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status === 429);
    // The template and its activation were counted before.
    expect([passed.length, refused.length]).toEqual([118, 242]);
    for (const { headers } of passed) {
      expect(headers.get('ratelimit-policy')).toBe('"authoring";q=120;w=60');
      expect(headers.get('ratelimit')).toMatch(/^"authoring";r=\d+;t=\d+$/);
    }
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ code: 'rate_limited' });
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(headers.get('ratelimit')).toBe(`"authoring";r=0;t=${seconds}`);
    }
    const compile = at(apis, 0);
    await compile.ok(compileTemplate, { body: { template_id: template.id, data: {} } });
    const other = world().api.with((await (await world().newOrganization({ connected: false })).key()).key);
    expect((await other.post(validatePath, { blocks: deployBlocks })).status).toBe(200);
  });
});
