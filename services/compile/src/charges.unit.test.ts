import { describe, expect, it } from '@jest/globals';
import { CodedError, type Principal } from '@stanza/contracts';
import { newId, type RpcClient, RpcFailure } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { charging } from './charges.ts';
import { testMetrics } from './testing/compile-service.ts';
import { contextOf, Neighbours, somebody } from './testing/neighbours.ts';

const compileOf = (principal: Principal) => ({
  templateId: newId(),
  principal,
  context: contextOf(principal),
});

describe('charging a compile', () => {
  const open = () => {
    const neighbours = new Neighbours();
    const rpc = inProcessRpc(neighbours.handlers);
    return { neighbours, rpc, charge: charging(rpc, testMetrics()) };
  };

  it('names the operation, the template, the environment and the payer', async () => {
    const { rpc, charge } = open();
    const principal = somebody();
    const compile = compileOf(principal);
    expect(await charge(compile)).toEqual({ creditLogId: expect.any(String), remainingCredits: 99 });
    expect(rpc.calls[0]?.input).toEqual({
      organization_id: principal.organization_id,
      charges: [
        {
          environment: 'production',
          operation_id: compile.context.operationId,
          template_id: compile.templateId,
          actor_id: principal.actor.id,
        },
      ],
    });
  });

  it('is one call for concurrent compiles of an organization', async () => {
    const { rpc, neighbours, charge } = open();
    const [ada, bob] = [somebody(), somebody()];
    await Promise.all([ada, ada, bob, ada].map((principal) => charge(compileOf(principal))));
    expect(rpc.calls.map((it) => JSON.stringify(it.input).match(/operation_id/g)?.length)).toEqual([3, 1]);
    expect(neighbours.credits).toBe(96);
  });

  it.each([
    'insufficient_credits',
    'overage_limit_exceeded',
    'credits_not_found',
    'credit_deduction_failed',
  ] as const)('is refused with %s', async (code) => {
    const { neighbours, charge } = open();
    neighbours.refusal = { charged: false, code };
    await expect(charge(compileOf(somebody()))).rejects.toMatchObject({ code });
  });

  const failing = (error: unknown): RpcClient => ({ call: () => Promise.reject(error) });

  it('fails for a malformed outcome', async () => {
    const cause = new CodedError('internal_error');
    const charge = charging(failing(cause), testMetrics());
    const expected = { code: 'credit_deduction_failed', cause };
    await expect(charge(compileOf(somebody()))).rejects.toMatchObject(expected);
    const nothing = charging({ call: async () => JSON.parse('{"outcomes":[]}') }, testMetrics());
    await expect(nothing(compileOf(somebody()))).rejects.toMatchObject({ code: 'credit_deduction_failed' });
  });

  it.each([
    new RpcFailure('no_responders', 'organization.charge-credits', false),
    new RpcFailure('timeout', 'organization.charge-credits', true),
    new CodedError('service_unavailable'),
  ])('passes on an unavailable service: %p', async (error) => {
    const charge = charging(failing(error), testMetrics());
    await expect(charge(compileOf(somebody()))).rejects.toBe(error);
  });
});
