import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  CodedError,
  compileTemplate,
  type HttpOperation,
  idempotencyKeyDigest,
  type Principal,
  sendTemplate,
  updateTemplate,
} from '@stanza/contracts';
import { createMetrics, RpcFailure } from '@stanza/runtime';
import { v7 } from 'uuid';
import { errorAnswer } from '../http/answers.ts';
import { HungUp, type RequestContext, type Step } from '../http/request-context.ts';
import type { Held } from '../idempotency/idempotency-claims.ts';
import type { Settled } from '../idempotency/lost-answers.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { RememberedAnswer } from '../store/idempotency-answers.ts';
import type { Claim } from '../store/idempotency-records.ts';
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
  settled: Settled = 'untold';
  /** Refusals that are kept of the organization. */
  room = Number.POSITIVE_INFINITY;

  readonly rates: IdempotencyDependencies['rates'] = {
    take: async () => ({ isGranted: this.room-- > 0, remaining: 0, secondsToMore: 1 }),
  };

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

  readonly lostAnswers: IdempotencyDependencies['lostAnswers'] = {
    settle: async () => {
      this.notes.push('settle');
      return this.settled;
    },
    settleTaken: async () => {
      this.notes.push('settle taken');
      return this.settled;
    },
  };
}

const openRecord = {
  organization_id: principal.organization_id,
  environment: 'production',
  operation: 'send-template',
  key: 'k',
  operation_id: v7(),
  fingerprint: Buffer.alloc(32),
  request_id: 'r',
  actor_id: 'a',
  claimed_at: new Date('2026-11-21T08:00:00.000Z'),
  claimed_ms_ago: 60_000,
  released_at: null,
  completed_at: null,
  settled: false,
  status: null,
  content_type: null,
  body: null,
  expires_at: null,
} as const;

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
        rates: keys.rates,
        keyed: keys.keyed,
        lostAnswers: keys.lostAnswers,
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
    expect(requestContext.context.isFirst).toBe(true);
  });

  it('runs a released request under the operation id of the first', async () => {
    keys.claim = () => ({ kind: 'claimed', operationId: 'first', isRerun: true });
    const requestContext = exchangeOf('k');
    await step(answering)(requestContext);
    expect(requestContext.context.operationId).toBe('first');
    expect(requestContext.context.isFirst).toBe(false);
  });

  it.each([
    ['the caller is over a rate limit', new CodedError('rate_limited')],
    ['a service says that nothing was done', new CodedError('service_unavailable', { nothing_done: true })],
    ['the call reached no service', new RpcFailure('no_responders', 'compile', false)],
    ['the client has gone before the call', new HungUp('gone')],
  ])('frees the key when %s', async (_, error) => {
    await expect(async () => step(refusing(error))(exchangeOf('k'))).rejects.toBe(error);
    expect(keys.notes).toEqual(['claim', 'run', 'give up']);
  });

  it.each([
    ['a refusal', new CodedError('template_not_found')],
    ['a failure', new CodedError('chat_api_error')],
    ['an unknown outcome', new CodedError('delivery_outcome_unknown')],
  ])('stores %s as it is answered', async (_, error) => {
    const requestContext = exchangeOf('k');
    await expect(async () => step(refusing(error))(requestContext)).rejects.toBe(error);
    expect(keys.notes).toEqual(['claim', 'run', 'remember']);
    const { status, body } = errorAnswer(error, requestContext.context.requestId, {
      operation: compileTemplate,
    });
    expect(keys.kept).toMatchObject({ status });
    expect(keys.kept?.body.toString()).toBe(body);
  });

  it('keeps so many refusals of an organization, and frees the keys of more, but keeps every failure', async () => {
    keys.room = 1;
    const refusal = new CodedError('template_not_found');
    for (const fate of ['remember', 'give up']) {
      keys.notes.length = 0;
      await expect(async () => step(refusing(refusal))(exchangeOf('k'))).rejects.toBe(refusal);
      expect(keys.notes).toEqual(['claim', 'run', fate]);
    }
    const failure = new CodedError('chat_api_error');
    await expect(async () => step(refusing(failure))(exchangeOf('k'))).rejects.toBe(failure);
    expect(keys.notes.at(-1)).toBe('remember');
  });

  const timedOut = () =>
    new CodedError('delivery_outcome_unknown', {}, { cause: new RpcFailure('timeout', 'send', true) });
  const lostAnswers = (): [string, unknown, number][] => [
    ['a lost answer', timedOut(), 502],
    ['an unavailable service', new CodedError('service_unavailable', { retry_after: 7 }), 503],
    ['an unexpected error', new TypeError('a bug'), 500],
  ];

  it.each(lostAnswers())('asks for the outcome after %s and stores no guess', async (_, error) => {
    for (const settled of ['ended', 'open'] as const) {
      keys = new NotedKeys();
      keys.settled = settled;
      await expect(async () => step(refusing(error))(exchangeOf('k', sendTemplate))).rejects.toBe(error);
      expect(keys.notes).toEqual(['claim', 'run', 'settle']);
    }
  });

  it.each(lostAnswers())('stores %s where no service can report the outcome', async (_, error, status) => {
    await expect(async () => step(refusing(error))(exchangeOf('k', sendTemplate))).rejects.toBe(error);
    expect(keys.notes).toEqual(['claim', 'run', 'settle', 'remember']);
    expect(keys.kept).toMatchObject({ status });
  });

  it('settles a taken key without an answer before it is reported as in progress', async () => {
    const operation = sendTemplate;
    let claims = 0;
    keys.claim = (operationId) => {
      claims += 1;
      return claims === 1
        ? { kind: 'taken', record: openRecord }
        : { kind: 'claimed', operationId, isRerun: false };
    };
    keys.settled = 'ended';
    await step(answering)(exchangeOf('k', operation));
    expect(keys.notes).toEqual(['claim', 'settle taken', 'claim', 'run', 'remember']);
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
