import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  CodedError,
  compileTemplate,
  type HttpOperation,
  idempotencyKeyDigest,
  type Principal,
  updateTemplate,
} from '@stanza/contracts';
import { createMetrics, RpcFailure } from '@stanza/runtime';
import { v7 } from 'uuid';
import { errorAnswer } from '../http/answers.ts';
import type { RequestContext, Step } from '../http/request-context.ts';
import type { Held } from '../idempotency/idempotency-claims.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { Claim, RememberedAnswer } from '../store/idempotency-records.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { type IdempotencyDependencies, idempotency } from './idempotency.ts';

const principal: Principal = {
  organization_id: v7(),
  environment: 'production',
  actor: { type: 'api_key', id: v7() },
  role: 'owner',
  scopes: ['messages:create'],
};

/** Records the fate of keys, and returns claims on the test's command. */
class NotedKeys {
  claim: (operationId: string) => Claim = (operationId) => ({ kind: 'claimed', operationId, isRerun: false });
  readonly notes: string[] = [];
  kept: RememberedAnswer | undefined;
  refusesToKeep = false;

  readonly keyed: IdempotencyDependencies['keyed'] = {
    claim: async (_tenant, { operationId }) => {
      this.notes.push('claim');
      return this.claim(operationId);
    },
    remember: async (_held: Held, answer: RememberedAnswer, toConfirm: boolean) => {
      if (this.refusesToKeep) throw new CodedError('service_unavailable');
      this.notes.push(toConfirm ? 'remember, to confirm' : 'remember');
      this.kept = answer;
    },
    giveUp: async () => void this.notes.push('give up'),
  };
}

describe('the idempotency step', () => {
  let keys: NotedKeys;
  beforeEach(() => {
    keys = new NotedKeys();
  });

  const exchangeOf = (
    key: string | undefined,
    operation: HttpOperation = compileTemplate,
  ): RequestContext => {
    const sent: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    return newRequestContext(operation, { sent, principal, canonical: { params: {}, query: {}, body: {} } });
  };

  const answering: Step = (requestContext) => {
    keys.notes.push('run');
    requestContext.answer = { status: 200, body: '{"a":1}' };
  };
  const refusing =
    (error: unknown): Step =>
    () => {
      keys.notes.push('run');
      throw error;
    };
  const step = (next: Step) =>
    idempotency(
      {
        keyed: keys.keyed,
        metrics: gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false })),
      },
      next,
    );

  it('passes requests without a key, and those of operations without support for one', async () => {
    await step(answering)(exchangeOf(undefined));
    await step(answering)(exchangeOf('k', updateTemplate));
    expect(keys.notes).toEqual(['run', 'run']);
  });

  it('claims, runs, and stores the answer before it is sent', async () => {
    const requestContext = exchangeOf('k');
    await step(answering)(requestContext);
    expect(keys.notes).toEqual(['claim', 'run', 'remember, to confirm']);
    expect(keys.kept?.body.toString()).toBe('{"a":1}');
    expect(requestContext.isRemembered).toBe(true);
    expect(requestContext.context.keyDigest).toBe(idempotencyKeyDigest(principal, 'k'));
  });

  it('runs a released request under the operation id of the first', async () => {
    keys.claim = () => ({ kind: 'claimed', operationId: 'first', isRerun: true });
    const requestContext = exchangeOf('k');
    await step(answering)(requestContext);
    expect(requestContext.context.operationId).toBe('first');
  });

  it.each([
    ['the caller is over a rate limit', new CodedError('rate_limited')],
    ['a service says that nothing was done', new CodedError('service_unavailable', { nothing_done: true })],
    ['the call reached no service', new RpcFailure('no_responders', 'compile', false)],
  ])('frees the key when %s', async (_, error) => {
    await expect(async () => step(refusing(error))(exchangeOf('k'))).rejects.toBe(error);
    expect(keys.notes).toEqual(['claim', 'run', 'give up']);
  });

  it.each([
    ['a refusal', new CodedError('template_not_found')],
    ['a failure', new CodedError('chat_api_error')],
    ['an answer that was lost', new CodedError('service_unavailable', { retry_after: 7 })],
  ])('stores %s as it is answered', async (_, error) => {
    const requestContext = exchangeOf('k');
    await expect(async () => step(refusing(error))(requestContext)).rejects.toBe(error);
    expect(keys.notes).toEqual(['claim', 'run', 'remember']);
    const { status, body } = errorAnswer(error, requestContext.context.requestId, compileTemplate);
    expect(keys.kept).toMatchObject({ status, retryAfter: error.facts.retry_after ?? null });
    expect(keys.kept?.body.toString()).toBe(body);
  });

  it('stores an unexpected error as the internal error that is answered', async () => {
    await expect(async () => step(refusing(new TypeError('a bug')))(exchangeOf('k'))).rejects.toThrow(
      'a bug',
    );
    expect(keys.kept).toMatchObject({ status: 500 });
  });

  it('answers an error when the answer cannot be stored', async () => {
    keys.refusesToKeep = true;
    const requestContext = exchangeOf('k');
    await expect(async () => step(answering)(requestContext)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(requestContext.isRemembered).toBeUndefined();
  });

  it('runs nothing when the key cannot be claimed', async () => {
    keys.claim = () => {
      throw new CodedError('service_unavailable');
    };
    await expect(async () => step(answering)(exchangeOf('k'))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(keys.notes).toEqual(['claim']);
  });
});
