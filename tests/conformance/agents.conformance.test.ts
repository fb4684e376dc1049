import { execFile } from 'node:child_process';
import { request as post } from 'node:http';
import { createRequire } from 'node:module';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { type LocalServer, startLocalServer } from '../kit/local-server.ts';
import { openWorldWith, type World } from '../kit/stack.ts';

const run = promisify(execFile);

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

/** The scenarios that need no tool, resource or prompt of the checks' own. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

describe('the conformance checks of the Model Context Protocol', () => {
  const newFolder = testFolders();
  let world: World;
  let front: LocalServer;

  beforeAll(async () => {
    const opened = await openWorldWith({ connected: false });
    world = opened.world;
    const { key } = await opened.organization.key();
    const { hostname, port } = new URL(world.api.base);
    // The checks have no credentials; everything else of their requests stays as it is.
    front = await startLocalServer(async (asked, response) => {
      const { method, url: path } = asked;
      const headers = { ...asked.headers, authorization: `Bearer ${key}` };
      const answer = await new Promise<Parameters<typeof pipeline>[0] & import('node:http').IncomingMessage>(
        (resolve, reject) => {
          const passed = post({ hostname, port, method, path, headers }, resolve).on('error', reject);
          asked.pipe(passed);
        },
      );
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      await pipeline(answer, response);
    });
  });
  afterAll(async () => {
    await front.close();
    await world.close();
  });

  it.each(scenarios)('pass: %s', async (scenario) => {
    const words = ['server', '--url', `${front.url}/mcp`, '--scenario', scenario];
    const { stdout } = await run(process.execPath, [program, ...words, '--output-dir', await newFolder()]);
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
  });
});
