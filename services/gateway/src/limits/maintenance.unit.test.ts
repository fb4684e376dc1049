import { describe, expect, it } from '@jest/globals';
import { type Access, type HttpOperation, validateToken } from '@stanza/contracts';
import { newRequestContext } from '../testing/request-context.ts';
import { keepClosed, type Maintenance } from './maintenance.ts';

describe('maintenance', () => {
  const run = (access: Access, current: Maintenance['current']) => {
    const operation: HttpOperation = { ...validateToken, access };
    return () => keepClosed({ current })(newRequestContext(operation));
  };
  const closed = { message: null, retry_after: 60 };

  it.each<Access>(['templates:read', 'any_token', 'session', 'signed'])(
    'refuses operations that need %s',
    (access) => {
      const error = expect.objectContaining({
        code: 'maintenance',
        status: 503,
        facts: expect.objectContaining({ retry_after: 60 }),
      });
      expect(run(access, closed)).toThrow(error);
      expect(run(access, undefined)).not.toThrow();
    },
  );

  it('leaves public operations open', () => {
    expect(run('public', closed)).not.toThrow();
  });

  it("answers with the operator's message, else with that of the code", () => {
    expect(run('any_token', { ...closed, message: 'Back at noon.' })).toThrow('Back at noon.');
    expect(run('any_token', closed)).toThrow('The service is under maintenance.');
  });
});
