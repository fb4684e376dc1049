import { afterEach, describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import { asFailure, StackFailure } from '../failure.ts';
import { asOperator, operatorName, refusalFor } from './operator.ts';

describe('the error that an operator sees', () => {
  it('has the code and the text of a refusal, without a stack trace', () => {
    const refused = new CodedError('insufficient_credits', { message: 'Only 3 credits can be taken away.' });
    const told = asFailure(refusalFor(refused));
    expect(told).toBeInstanceOf(StackFailure);
    expect(told.message).toBe('insufficient_credits: Only 3 credits can be taken away.');
  });

  it('names the service that does not answer', () => {
    const silent = new RpcFailure('no_responders', 'rpc.organization.list-organizations', false);
    const told = asFailure(refusalFor(silent));
    expect(told.message).toContain('rpc.organization.list-organizations');
    expect(told.message).not.toContain('    at ');
    expect(told.advice).toContain('/readyz');
  });

  it('is any other error in full', () => {
    const error = new TypeError('x is not a function');
    expect(refusalFor(error)).toBe(error);
  });
});

describe('NATS that does not answer', () => {
  const { NATS_URL } = process.env;
  afterEach(() => {
    if (NATS_URL === undefined) delete process.env.NATS_URL;
    else process.env.NATS_URL = NATS_URL;
  });

  it('is said with what to look at, without a stack trace', async () => {
    process.env.NATS_URL = 'nats://127.0.0.1:1';
    const failure = asFailure(await asOperator(async () => 'an answer').catch((error: unknown) => error));
    expect(failure.message).toBe('NATS does not let the operator in: connection refused');
    expect(failure.advice).toContain('NATS_URL');
  });
});

describe('the name of an operator', () => {
  it('comes from STANZA_OPERATOR, as printable ASCII, at most 100 characters', () => {
    expect(operatorName(' ada ')).toBe('ada');
    expect(operatorName('zoë\r\nPrincipal: x')).toBe('zo???Principal: x');
    expect(operatorName('x'.repeat(300))).toHaveLength(100);
  });

  it('comes from the user of the process where no operator is named, without the machine', () => {
    for (const none of [undefined, '', '  ']) expect(operatorName(none)).toMatch(/^[^@]+$/);
  });
});
