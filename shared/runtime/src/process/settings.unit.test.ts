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
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('describes every setting', () => {
    for (const [name, setting] of Object.entries(commonSettings)) {
      expect([name, setting.description]).toEqual([name, expect.stringMatching(/\w/)]);
    }
  });
});
