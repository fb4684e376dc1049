import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { RpcFailure, toCodedError } from './failure.ts';

describe('an RPC failure on its way to a caller', () => {
  it.each(['no_responders', 'overload', 'disconnected', 'timeout'] as const)(
    'is service_unavailable: %s',
    (kind) => {
      const ran = new RpcFailure(kind, 'rpc.template.get-template', true).toCoded();
      expect(ran).toMatchObject({ code: 'service_unavailable', status: 503, facts: { retry_after: 1 } });
      expect(ran.message).toContain('The change may have happened.');
      expect(new RpcFailure(kind, 'x', false).toCoded().message).toContain('Nothing was changed.');
    },
  );

  it('mentions no change after a read that may have run', () => {
    for (const kind of ['timeout', 'disconnected'] as const) {
      const lost = new RpcFailure(kind, 'rpc.template.get-version-content', true, true).toCoded();
      expect(lost.message).not.toMatch(/change/);
      expect(lost.facts.nothing_done).toBe(false);
    }
  });

  it('does not name the internal service', () => {
    expect(new RpcFailure('timeout', 'rpc.template.get-template', true).toCoded().message).not.toContain(
      'template',
    );
  });
});

describe('toCodedError', () => {
  it('returns a coded error unchanged', () => {
    const coded = new CodedError('not_found');
    expect(toCodedError(coded)).toBe(coded);
  });

  it.each([
    ['that ends an idle session', { code: '57P05' }],
    ['that is stopping', { code: '57P01' }],
    ['whose connection broke', { code: 'ECONNRESET' }],
    ['as reported by the ORM', { driverError: { code: '57P01' } }],
  ])('reports a database %s as unavailable', (_, facts) => {
    const cause = Object.assign(new Error('the database system is shutting down'), facts);
    expect(toCodedError(cause)).toMatchObject({
      code: 'service_unavailable',
      facts: { retry_after: 1, nothing_done: false },
      cause,
    });
  });

  it('hides everything else behind internal_error and keeps it as the cause', () => {
    const cause = new Error('select * from secrets');
    const coded = toCodedError(cause);
    expect(coded).toMatchObject({ code: 'internal_error', cause });
    expect(JSON.stringify(coded.toBody())).not.toContain('secrets');
  });
});
