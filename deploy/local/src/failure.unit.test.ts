import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { asFailure, StackFailure } from './failure.ts';

const thrownBy = (attempt: () => unknown): unknown => {
  try {
    return attempt();
  } catch (error) {
    return error;
  }
};

const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });

describe('a failure for people', () => {
  it('is the failure of a part of the stack', () => {
    const failure = new StackFailure('It burns.', 'Leave the house.');
    expect(asFailure(failure)).toBe(failure);
  });

  it('names the file and a likely cause', () => {
    const error = Object.assign(new Error('EACCES: permission denied, open x'), { code: 'EACCES' });
    expect(asFailure(error).message).toBe('EACCES: permission denied, open x');
    expect(asFailure(error).advice).toContain('An earlier start ran as another user');
  });

  it('is the whole of an unexpected error', () => {
    expect(asFailure(new TypeError('x is not a function')).message).toMatch(
      /^TypeError: x is not a function\n +at/,
    );
  });

  it.each([
    ['28P01', 'password authentication failed for user "owner"', 'Check user and password'],
    ['28000', 'no pg_hba.conf entry for host "10.0.0.5", no encryption', 'with TLS only'],
    ['3D000', 'database "stanza" does not exist', 'Create the database first'],
    ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.5:5432', 'check host and port'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'sslrootcert'],
  ])('of a database says what to do about %s, without a stack', (code, message, advice) => {
    const failure = asFailure(withCode(message, code));
    expect([failure.message, failure.advice]).toEqual([message, expect.stringContaining(advice)]);
  });

  it.each([
    ['a folder in place of a file', () => readFileSync(tmpdir()), 'Name a file'],
    ['a folder that is not there', () => readFileSync('/none/of/these'), 'Check the path'],
    ['an address that is none', () => new URL('db.internal'), 'postgres://user:password@host:5432/database'],
  ])('says what to do about %s, without a stack', (_, attempt, advice) => {
    const failure = asFailure(thrownBy(attempt));
    expect(failure.message).not.toContain('\n');
    expect(failure.advice).toContain(advice);
  });
});
