import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { commonSettings, loadSettings, SettingsError } from './settings.ts';

const schema = z.object({
  ...commonSettings,
  STANZA_PORT: z.coerce.number().int().default(8787).describe('Port'),
});
const needed = { STANZA_NATS_URL: 'nats://n', STANZA_DATABASE_URL: 'postgres://d' };

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadSettings(schema, env);
    return [];
  } catch (err) {
    if (err instanceof SettingsError) return err.problems;
    throw err;
  }
};

describe('loadSettings', () => {
  it('reads values, converts them, and fills in defaults', () => {
    const settings = loadSettings(schema, { ...needed, STANZA_PORT: '80', PATH: '/bin' });
    expect(settings).toMatchObject({ STANZA_PORT: 80, STANZA_DATABASE_POOL: 10, STANZA_LOG_LEVEL: 'info' });
  });

  it('treats an empty value as unset', () => {
    expect(loadSettings(schema, { ...needed, STANZA_PORT: '' }).STANZA_PORT).toBe(8787);
    expect(problemsOf({ ...needed, STANZA_NATS_URL: '' })).toEqual(['STANZA_NATS_URL is required']);
  });

  it('leaves out white space around a value, and treats blanks as unset', () => {
    const env = { ...needed, STANZA_NATS_PASSWORD: 'secret\n', STANZA_PORT: ' ', STANZA_METRICS_PORT: '\n' };
    expect(loadSettings(schema, env)).toMatchObject({
      STANZA_NATS_PASSWORD: 'secret',
      STANZA_PORT: 8787,
      STANZA_METRICS_PORT: 9464,
    });
  });

  it.each(['5m', '1.5', '0', '501'])('says which numbers it takes in the place of %s', (value) => {
    expect(problemsOf({ ...needed, STANZA_DATABASE_POOL: value })).toContain(
      'STANZA_DATABASE_POOL: must be a whole number from 1 to 500',
    );
  });

  it.each([
    'postgres://u:p@h:5432/d?sslmode=verify-full',
    'postgresql://h/d',
    'postgres://u:p@/d?host=/var/run/postgresql',
    'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/d',
  ])('takes the address %s of Postgres', (address) => {
    expect(problemsOf({ ...needed, STANZA_DATABASE_URL: address })).toEqual([]);
  });

  it.each(['db', 'db:5432/d', 'http://h/d', 'postgres://u:a#b@h/d', 'postgres://u:a/b@h/d'])(
    'refuses the address %s of Postgres, which no connection can be made to',
    (address) => {
      expect(problemsOf({ ...needed, STANZA_DATABASE_URL: address })).toEqual([
        expect.stringMatching(/^STANZA_DATABASE_URL: must be postgres:/),
      ]);
    },
  );

  it.each(['nats://a:4222, tls://b', 'nats:4222', '127.0.0.1'])('takes the address %s of NATS', (address) => {
    expect(problemsOf({ ...needed, STANZA_NATS_URL: address })).toEqual([]);
  });

  it.each(['http://n:4222', 'nats://n:x', 'nats://a b', 'nats://', ',,', 'nats://n,'])(
    'refuses the address %s of NATS, which no connection can be made to',
    (address) => {
      expect(problemsOf({ ...needed, STANZA_NATS_URL: address })).toEqual([
        expect.stringMatching(/^STANZA_NATS_URL: must be an address/),
      ]);
    },
  );

  it('refuses an unknown name and suggests the nearest one', () => {
    expect(problemsOf({ ...needed, STANZA_DATABASE_POOLS: '3' })).toEqual([
      'STANZA_DATABASE_POOLS is not a setting of this service; did you mean STANZA_DATABASE_POOL?',
    ]);
  });

  it('suggests nothing when no name is near', () => {
    expect(problemsOf({ ...needed, STANZA_COMPLETELY_DIFFERENT: '3' })).toEqual([
      'STANZA_COMPLETELY_DIFFERENT is not a setting of this service',
    ]);
  });

  it('lists every problem at once and shows no value', () => {
    const problems = problemsOf({
      STANZA_DATABASE_URL: 'x',
      STANZA_PORT: 'hunter2',
      STANZA_LOG_LEVEL: 'hunter2',
    });
    expect(problems).toHaveLength(4);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('describes every setting', () => {
    for (const [name, setting] of Object.entries(commonSettings)) {
      expect([name, setting.description]).toEqual([name, expect.stringMatching(/\w/)]);
    }
  });
});
