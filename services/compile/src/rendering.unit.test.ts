import { describe, expect, it } from '@jest/globals';
import { type InputOf, type Principal, resolveLiveVersions } from '@stanza/contracts';
import { type CallContext, handle, newId, Tenant } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { plainAppearance } from '@stanza/test-kit/service-world';
import { liveVersions } from './rendering.ts';
import { testMetrics } from './testing/compile-service.ts';
import { contextOf, greeting, Neighbours, somebody } from './testing/neighbours.ts';

const request = (principal: Principal, templateId: string, context = contextOf(principal)) => ({
  tenant: Tenant.of(principal),
  templateId,
  context,
});

describe('the live version', () => {
  const open = () => {
    const neighbours = new Neighbours();
    const rpc = inProcessRpc(neighbours.handlers);
    return { neighbours, rpc, resolve: liveVersions(rpc, testMetrics()) };
  };

  it('is looked up in one call for concurrent requests of any tenants', async () => {
    const { neighbours, rpc, resolve } = open();
    const all = [somebody(), somebody(), somebody()].map((principal) => ({
      principal,
      ...neighbours.activate(principal, greeting),
    }));
    const answers = await Promise.all(all.map((it) => resolve(request(it.principal, it.id))));
    expect(answers.map((it) => it.version_id)).toEqual(all.map((it) => it.versionId));
    expect(rpc.calls).toHaveLength(1);
  });

  it('is never older than the request: one that arrives during a call waits for the next', async () => {
    const principal = somebody();
    const [before, after] = [newId(), newId()];
    let live = before;
    const underWay = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const template = handle(
      resolveLiveVersions,
      async ({ input }: { input: InputOf<typeof resolveLiveVersions> }) => {
        const version_id = live;
        arrived.resolve();
        await underWay.promise;
        return {
          versions: input.templates.map(() => ({
            found: true as const,
            template_name: 'Greeting',
            version_id,
            version_number: 1,
            ...plainAppearance,
          })),
        };
      },
    );
    const resolve = liveVersions(inProcessRpc([template]), testMetrics());
    const first = resolve(request(principal, newId()));
    await arrived.promise;
    live = after;
    const second = resolve(request(principal, newId()));
    underWay.resolve();
    expect((await first).version_id).toBe(before);
    expect((await second).version_id).toBe(after);
  });

  it.each(['template_not_found', 'version_not_found', 'invalid_state'] as const)(
    'is refused with %s without affecting other members of the call',
    async (code) => {
      const { neighbours, resolve } = open();
      const principal = somebody();
      const { id, versionId } = neighbours.activate(principal, greeting);
      const missing = code === 'template_not_found' ? newId() : neighbours.retire(principal, code);
      const [refused, found] = await Promise.allSettled([
        resolve(request(principal, missing)),
        resolve(request(principal, id)),
      ]);
      expect(refused).toMatchObject({ status: 'rejected', reason: { code } });
      expect(found).toMatchObject({ status: 'fulfilled', value: { version_id: versionId } });
    },
  );

  it('is looked up without a principal, with the latest deadline of the members', async () => {
    const { neighbours, rpc, resolve } = open();
    const [hasty, patient] = [somebody(), somebody()];
    const contexts: CallContext[] = [contextOf(hasty, 100), contextOf(patient, 9_000)];
    await Promise.all([
      resolve(request(hasty, neighbours.activate(hasty, greeting).id, contexts[0])),
      resolve(request(patient, neighbours.activate(patient, greeting).id, contexts[1])),
    ]);
    const [call] = rpc.calls;
    expect(call?.context.deadline).toBe(contexts[1]?.deadline);
    expect(call?.context.principal).toBeUndefined();
    expect(call?.context.requestId).toBe(contexts[0]?.requestId);
  });
});
