import { describe, expect, it } from '@jest/globals';
import { stackDirectory } from './directory.ts';
import { type Placing, placeServices, type ServiceSurroundings, serviceEnvironment } from './services.ts';

const counter = () => {
  let next = 1;
  return () => next++;
};

const around: ServiceSurroundings = {
  directory: stackDirectory('/stack'),
  secrets: {
    postgres: 'p',
    roles: { stanza_queue_ingest: 'role-password' },
    nats: { 'queue-ingest': 'nats-password' },
    chat_signing_secret: 'signing',
    identity_secret: 'identity',
    console_keys: 'k1:z',
    encryption_keys: 'k1:x',
    key_hash_secrets: 'k1:y',
  },
  known: {
    organization: new Set(['STANZA_KEY_HASH_SECRETS']),
    template: new Set(),
    compile: new Set(),
    delivery: new Set(['STANZA_CHAT_API_URL', 'STANZA_ENCRYPTION_KEYS']),
    'queue-ingest': new Set([
      'STANZA_DATABASE_URL',
      'STANZA_NATS_USER',
      'STANZA_NATS_PASSWORD',
      'STANZA_METRICS_PORT',
      'STANZA_LOG_LEVEL',
    ]),
    gateway: new Set([
      'STANZA_PORT',
      'STANZA_HOST',
      'STANZA_SESSION_ISSUER',
      'STANZA_SESSION_AUDIENCE',
      'STANZA_SESSION_JWKS_URL',
    ]),
  },
  inherited: { PATH: '/bin' },
  userSettings: { STANZA_LOG_LEVEL: 'debug', STANZA_CHAT_API_URL: 'https://chat.example/api/' },
  databaseUrl: 'postgres://postgres:p@127.0.0.1:5432/stanza',
  nats: { url: 'nats://127.0.0.1:4222' },
  sandboxUrl: 'http://127.0.0.1:9000',
  gatewayUrl: 'http://127.0.0.1:8787',
  ownPorts: [5432, 9000],
  events: {},
};

const settingsOf = (environment: Record<string, string>) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name.includes('STANZA_')));

const gatewaysAndCompile: Placing = {
  services: ['gateway', 'compile'],
  replicas: { gateway: 2 },
  small: false,
};

describe('the processes of services', () => {
  it('are named after the service, further replicas with a number, each with its own ports', () => {
    const places = placeServices(gatewaysAndCompile, counter(), 8787);
    expect(places).toEqual([
      { name: 'compile', services: ['compile'], metricsPort: 1 },
      { name: 'gateway', services: ['gateway'], metricsPort: 2, port: 8787 },
      { name: 'gateway-2', services: ['gateway'], metricsPort: 3, port: 4 },
    ]);
  });

  it('join the first replicas of all services in a small stack; each further replica is a process of its own', () => {
    expect(placeServices({ ...gatewaysAndCompile, small: true }, counter(), 8787)).toEqual([
      { name: 'services', services: ['compile', 'gateway'], metricsPort: 1, port: 8787 },
      { name: 'gateway-2', services: ['gateway'], metricsPort: 2, port: 3 },
    ]);
  });

  it('get settings by service where there are several in one process', () => {
    const place = { name: 'services', services: ['delivery', 'queue-ingest'], metricsPort: 7 } as const;
    expect(settingsOf(serviceEnvironment(place, around))).toEqual({
      STANZA_SERVICES: 'delivery,queue-ingest',
      DELIVERY_STANZA_CHAT_API_URL: 'https://chat.example/api/',
      DELIVERY_STANZA_ENCRYPTION_KEYS: 'k1:x',
      QUEUE_INGEST_STANZA_DATABASE_URL: 'postgres://stanza_queue_ingest:role-password@127.0.0.1:5432/stanza',
      QUEUE_INGEST_STANZA_NATS_USER: 'queue-ingest',
      QUEUE_INGEST_STANZA_NATS_PASSWORD: 'nats-password',
      QUEUE_INGEST_STANZA_METRICS_PORT: '7',
      QUEUE_INGEST_STANZA_LOG_LEVEL: 'debug',
    });
  });

  it('get only the settings of their service, with its own role and broker user', () => {
    const place = { name: 'queue-ingest', services: ['queue-ingest'], metricsPort: 7 } as const;
    expect(settingsOf(serviceEnvironment(place, around))).toEqual({
      STANZA_DATABASE_URL: 'postgres://stanza_queue_ingest:role-password@127.0.0.1:5432/stanza',
      STANZA_NATS_USER: 'queue-ingest',
      STANZA_NATS_PASSWORD: 'nats-password',
      STANZA_METRICS_PORT: '7',
      STANZA_LOG_LEVEL: 'debug',
    });
  });

  it("prefer the user's settings to those of the demo", () => {
    const place = { name: 'delivery', services: ['delivery'], metricsPort: 7 } as const;
    expect(settingsOf(serviceEnvironment(place, around))).toEqual({
      STANZA_CHAT_API_URL: 'https://chat.example/api/',
      STANZA_ENCRYPTION_KEYS: 'k1:x',
    });
  });
});
