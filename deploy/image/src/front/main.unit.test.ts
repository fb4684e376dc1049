import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const words = ['--conditions=@stanza/source', join(import.meta.dirname, 'main.ts')];

describe('the process of the front', () => {
  it('lists what is wrong with its settings, and ends with the code of a service', () => {
    const env = { STANZA_FRONT_GATEWAYS: 'gateway', STANZA_PORT: 'x' };
    const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
    expect(stderr).toBe(
      'front: STANZA_FRONT_GATEWAYS: must be a host name and a port\n' +
        'front: STANZA_PORT: must be a whole number from 0 to 65535\n',
    );
    expect(status).toBe(78);
  });

  it('ends at once and in order where a client has opened a connection ahead of its requests', async () => {
    const env = { STANZA_FRONT_GATEWAYS: '127.0.0.1:1', STANZA_PORT: '0', STANZA_METRICS_PORT: '0' };
    const front = spawn(process.execPath, words, { env: { ...env, STANZA_HOST: '127.0.0.1' } });
    let output = '';
    let port: string | undefined;
    for await (const written of front.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += String(written);
      port = /"port":(\d+)/.exec(output)?.[1];
      if (port !== undefined) break;
    }
    const ahead = connect(Number(port), '127.0.0.1');
    await once(ahead, 'connect');
    front.kill('SIGTERM');
    expect(await once(front, 'exit')).toEqual([0, null]);
    ahead.destroy();
  });
});
