import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { InvariantError } from '../invariant.ts';
import { answered, fromDatabase } from './faults.ts';

/** An error as the driver throws it. */
const failed = (code: string, message = 'it failed'): Error => Object.assign(new Error(message), { code });

/** What becomes of an error of the driver at a statement or a commit. */
const classify = async (error: unknown): Promise<unknown> =>
  fromDatabase(await answered(Promise.reject(error)).catch((thrown: unknown) => thrown), false);

describe('An error of the database', () => {
  it.each([
    'ECONNRESET',
    'ENETUNREACH',
    'ENETDOWN',
    'ECONNABORTED',
    'EPIPE',
    'EPROTO',
    'ERR_STREAM_DESTROYED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    '',
  ])('that Postgres did not answer (%s) leaves open whether the change happened', async (code) => {
    expect(await classify(failed(code))).toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: false },
    });
  });

  it.each([
    ['ECONNREFUSED', 'no connection'],
    ['53300', 'all connections are taken'],
    ['57P03', 'the server starts up'],
    ['25006', 'the server takes reads alone'],
    ['53100', 'the disk is full'],
    ['53200', 'the memory is full'],
    ['40P01', 'a deadlock'],
    ['55P03', 'a lock that another holds'],
    ['28P01', 'a password that is being rotated'],
  ])('of code %s (%s) has changed nothing', async (code) => {
    expect(await classify(failed(code))).toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
  });

  it.each(['57P01', '57P02', '57P05', '58030', '08006'])(
    'of code %s says that the database is unavailable, and no more',
    async (code) => {
      expect(await classify(failed(code))).toMatchObject({
        code: 'service_unavailable',
        facts: { nothing_done: false },
      });
    },
  );

  it('an error that the ORM has wrapped is classified like one of the driver', () => {
    const wrapped = Object.assign(new Error('wrapped'), { driverError: failed('ENETUNREACH') });
    expect(fromDatabase(wrapped, false)).toMatchObject({ code: 'service_unavailable' });
  });

  it.each([
    new TypeError('values is no list'),
    new InvariantError('an invariant'),
    new CodedError('template_not_found'),
    failed('23505'),
    failed('42P01'),
  ])('which is %s is no outage', async (error) => {
    expect(await classify(error)).toBe(error);
  });
});
