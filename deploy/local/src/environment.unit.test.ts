import { describe, expect, it } from '@jest/globals';
import { inheritedEnvironment } from './environment.ts';

describe('the environment that a process inherits', () => {
  it('has the variables that programs need, and those of Node and OpenTelemetry', () => {
    const kept = {
      PATH: '/bin',
      HOME: '/root',
      TZ: 'UTC',
      NODE_OPTIONS: '--x',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'u',
    };
    expect(inheritedEnvironment(kept)).toMatchObject(kept);
  });

  it('holds neither secrets nor settings of others', () => {
    const foreign = {
      AWS_SECRET_ACCESS_KEY: 's',
      STANZA_LOG_LEVEL: 'debug',
      DATABASE_URL: 'd',
      MY_PATH: 'p',
    };
    expect(Object.keys(inheritedEnvironment(foreign))).toEqual(['NODE_COMPILE_CACHE']);
  });

  it('names a cache of compiled sources, unless the user has one', () => {
    expect(inheritedEnvironment({}).NODE_COMPILE_CACHE).toMatch(/compile-cache$/);
    expect(inheritedEnvironment({ NODE_COMPILE_CACHE: '/mine' }).NODE_COMPILE_CACHE).toBe('/mine');
  });
});
