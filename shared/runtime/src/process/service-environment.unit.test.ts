import { describe, expect, it } from '@jest/globals';
import { environmentsOf, variableOf } from './service-environment.ts';
import { SettingsError } from './settings.ts';

const delivery = {
  name: 'delivery',
  settings: ['STANZA_NATS_URL', 'STANZA_NATS_USER', 'STANZA_DATABASE_URL', 'STANZA_EVENT_DAYS'],
} as const;
const queueIngest = {
  name: 'queue-ingest',
  settings: ['STANZA_NATS_URL', 'STANZA_NATS_USER', 'STANZA_DATABASE_URL', 'STANZA_HOUSE'],
} as const;

const problemsOf = (...[services, env]: Parameters<typeof environmentsOf>): readonly string[] => {
  try {
    environmentsOf(services, env);
    return [];
  } catch (err) {
    if (err instanceof SettingsError) return err.problems;
    throw err;
  }
};

describe('the variables of a process with several services', () => {
  it('give a service those that it knows, and its own before the common ones', () => {
    const env = {
      PATH: '/bin',
      STANZA_NATS_URL: 'nats://n',
      STANZA_EVENT_DAYS: '3',
      QUEUE_INGEST_STANZA_DATABASE_URL: 'postgres://q',
      DELIVERY_STANZA_DATABASE_URL: 'postgres://d',
      DELIVERY_STANZA_EVENT_DAYS: '4',
    };
    expect(environmentsOf([delivery, queueIngest], env).map((it) => it.env)).toEqual([
      { STANZA_NATS_URL: 'nats://n', STANZA_EVENT_DAYS: '4', STANZA_DATABASE_URL: 'postgres://d' },
      { STANZA_NATS_URL: 'nats://n', STANZA_DATABASE_URL: 'postgres://q' },
    ]);
  });

  it('refuse credentials that would be those of every service', () => {
    for (const name of ['STANZA_DATABASE_URL', 'STANZA_NATS_USER', 'STANZA_NATS_PASSWORD'])
      expect(problemsOf([delivery, queueIngest], { [name]: 'x' })).toEqual([
        `${name} names no service; set one for each, as in DELIVERY_${name}`,
      ]);
  });

  it('refuse what no service of the process knows, and what is for another service', () => {
    expect(problemsOf([delivery, queueIngest], { STANZA_HOUSES: '1', GATEWAY_STANZA_PORT: '2' })).toEqual([
      'STANZA_HOUSES is not a setting of a service of this process',
      'GATEWAY_STANZA_PORT is for a service that this process does not run',
    ]);
  });

  it('leave to a single service all of the environment, for it to judge', () => {
    const env = { STANZA_DATABASE_URL: 'postgres://d', STANZA_HOUSES: '1' };
    expect(environmentsOf([delivery], env)).toEqual([{ service: delivery, env }]);
  });

  it('are named by the service, with underscores', () => {
    expect(variableOf('queue-ingest', 'STANZA_X')).toBe('QUEUE_INGEST_STANZA_X');
  });
});
