import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

describe('the sandbox as a process', () => {
  it('prints its address, serves its page, and exits at once at a signal', async () => {
    const child = spawn(process.execPath, ['--no-warnings', MAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    const started: { msg: string; url: string } = JSON.parse(line);
    expect(started).toEqual({ msg: 'listening', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    const page = await fetch(started.url);
    expect(await page.text()).toContain('Stanza sandbox');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('A sandbox that has no secret to sign interactions with says so, and starts', async () => {
    const env = { ...process.env, STANZA_SANDBOX_INTERACTIONS_URL: 'http://127.0.0.1/v1/chat/interactions' };
    const child = spawn(process.execPath, ['--no-warnings', MAIN], {
      env: { ...env, STANZA_CHAT_SIGNING_SECRET: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const [[complaint], [line]] = await Promise.all([
      once(createInterface(child.stderr), 'line'),
      once(createInterface(child.stdout), 'line'),
    ]);
    expect(complaint).toMatch(/^Interactions are not sent: set STANZA_CHAT_SIGNING_SECRET/);
    expect(line).toContain('listening');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('A sandbox with a bad setting does not start, and names it in one line', async () => {
    const env = { ...process.env, STANZA_SANDBOX_PORT: 'many' };
    const child = spawn(process.execPath, ['--no-warnings', MAIN], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    const complaint = await child.stderr.toArray();
    expect(Buffer.concat(complaint).toString()).toMatch(
      /^The sandbox does not start: .*STANZA_SANDBOX_PORT.*\n$/,
    );
    expect(await exited).toEqual([1, null]);
  });
});
