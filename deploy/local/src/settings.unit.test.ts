import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { StackFailure } from './failure.ts';
import { projectRoot } from './project.ts';
import { type KnownSettings, userSettings } from './settings.ts';

const known: KnownSettings = {
  organization: new Set(['STANZA_LOG_LEVEL', 'STANZA_DATABASE_URL', 'STANZA_TIERS']),
  template: new Set(['STANZA_LOG_LEVEL']),
  compile: new Set(['STANZA_LOG_LEVEL']),
  delivery: new Set(['STANZA_LOG_LEVEL', 'STANZA_CHAT_API_URL']),
  'queue-ingest': new Set(['STANZA_LOG_LEVEL']),
  gateway: new Set(['STANZA_LOG_LEVEL', 'STANZA_HOST']),
};

const refusal = (env: Record<string, string>): string => {
  try {
    userSettings(known, env);
  } catch (error) {
    if (error instanceof StackFailure) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('settings of the person who starts the stack', () => {
  it('takes the settings of any service and ignores other variables', () => {
    const env = { STANZA_LOG_LEVEL: 'debug', STANZA_TIERS: '{}', PATH: '/bin' };
    expect(userSettings(known, env)).toEqual({ STANZA_LOG_LEVEL: 'debug', STANZA_TIERS: '{}' });
  });

  it('refuses a name that no service knows, and names the nearest one', () => {
    expect(refusal({ STANZA_LOGLEVEL: 'debug' })).toBe(
      'STANZA_LOGLEVEL is not a setting; the nearest is STANZA_LOG_LEVEL.',
    );
  });

  it('A start leaves alone the variables by which a program calls the API', () => {
    expect(userSettings(known, { STANZA_URL: 'http://127.0.0.1:8787', STANZA_KEY: 'stz_live_x' })).toEqual(
      {},
    );
  });

  it('takes every variable that the pages and the tests name for a run of the tests', () => {
    const roots = ['docs', 'tests', 'deploy/sandbox/src'];
    const files = globSync(
      roots.map((root) => `${root}/**/*.{md,ts}`),
      {
        cwd: projectRoot,
        exclude: (path) => path.includes('node_modules'),
      },
    );
    const named = files.flatMap((file) => {
      const text = readFileSync(join(projectRoot, file), 'utf8');
      const read = [...text.matchAll(/process\.env\.(STANZA_\w+) (?:===|\?\?)/g)];
      const shown = [...text.matchAll(/(STANZA_\w+)=\S+ npm (?:test|run)/g)];
      return [...read, ...shown].map(([, name = '']) => name);
    });
    expect(named).toEqual(expect.arrayContaining(['STANZA_JOURNEYS', 'STANZA_CASES', 'STANZA_CORPUS']));
    expect([...new Set(named)].filter((name) => refusal({ [name]: 'all' }) !== 'accepted')).toEqual([]);
  });

  it('refuses settings of the stack, and names the alternative', () => {
    expect(refusal({ STANZA_DATABASE_URL: 'postgres://x' })).toBe(
      'STANZA_DATABASE_URL is set by the stack; use DATABASE_URL instead.',
    );
  });

  it('reports every problem at once', () => {
    expect(refusal({ STANZA_A: '1', STANZA_B: '2' }).split('\n')).toHaveLength(2);
  });
});
