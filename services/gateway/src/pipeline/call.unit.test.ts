import { describe, expect, it } from '@jest/globals';
import {
  createTemplate,
  getTemplate,
  type HttpOperation,
  sendTemplate,
  validateTemplate,
} from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import { HungUp } from '../http/request-context.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { call } from './call.ts';

describe('a call of a client that has gone', () => {
  it('No call is made for a client that has gone', async () => {
    const called: string[] = [];
    const step = call(async ({ id }) => {
      called.push(id);
      return Buffer.from('{}');
    });
    const requestContext = newRequestContext(createTemplate, { input: { params: {}, query: {}, body: {} } });
    requestContext.response.destroyed = true;
    await expect(step(requestContext)).rejects.toThrow(HungUp);
    expect(called).toEqual([]);
  });
});

describe('a call without an answer', () => {
  const refusal = (operation: HttpOperation, failure: RpcFailure): Promise<unknown> => {
    const step = call(() => Promise.reject(failure));
    const requestContext = newRequestContext(operation, { input: { params: {}, query: {}, body: {} } });
    return Promise.resolve(step(requestContext)).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  const lost = new RpcFailure('timeout', 'x', true);

  it('of an operation that changes something says that the change may have happened', async () => {
    expect(await refusal(createTemplate, lost)).toMatchObject({
      code: 'service_unavailable',
      message: 'The template service did not answer in time; the change may have happened.',
      facts: { retry_after: 1 },
    });
  });

  it('is told from one whose connection broke', async () => {
    expect(await refusal(createTemplate, new RpcFailure('disconnected', 'x', true))).toMatchObject({
      code: 'service_unavailable',
      message:
        'The template service was asked, and the connection broke before its answer; the change may have happened.',
    });
  });

  it.each([getTemplate, validateTemplate])(
    'of $id, which changes nothing, mentions no change',
    async (it) => {
      expect(await refusal(it, lost)).toMatchObject({
        code: 'service_unavailable',
        message: `The ${it.service} service did not answer in time.`,
      });
    },
  );

  it('of a post says that its outcome is unknown', async () => {
    expect(await refusal(sendTemplate, lost)).toMatchObject({ code: 'delivery_outcome_unknown' });
  });

  it('to an unavailable service says that nothing was done', async () => {
    for (const kind of ['no_responders', 'overload'] as const) {
      expect(await refusal(createTemplate, new RpcFailure(kind, 'x', false))).toMatchObject({
        code: 'service_unavailable',
        message: 'The template service is unavailable at the moment; nothing was done.',
        facts: { nothing_done: true },
      });
    }
  });
});
