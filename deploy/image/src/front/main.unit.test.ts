import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('the process of the front', () => {
  it('lists what is wrong with its settings, and ends with the code of a service', () => {
    const env = { STANZA_FRONT_GATEWAYS: 'gateway', STANZA_PORT: 'x' };
    const words = ['--conditions=@stanza/source', join(import.meta.dirname, 'main.ts')];
    const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
    expect(stderr).toBe(
      'front: STANZA_FRONT_GATEWAYS: must be a host name and a port\n' +
        'front: STANZA_PORT: must be a whole number from 0 to 65535\n',
    );
    expect(status).toBe(78);
  });
});
