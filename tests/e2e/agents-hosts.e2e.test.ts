import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tools } from '@stanza/mcp';
import { parse } from 'yaml';
import { z } from 'zod';
import { blocksOf, pageText, root } from '../docs/markdown.ts';
import { runPage } from '../docs/run-page.ts';
import { connectProgram } from '../kit/agent.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { stanzaCommand } from '../kit/stanza-command.ts';

const page = 'docs/agents.md';

const url = z.url({ protocol: /^https?$/ });
const headers = z.record(z.string(), z.string());
const byHttp = z.strictObject({ type: z.literal('http'), url, headers });
const byProgram = z.strictObject({ command: z.string(), args: z.array(z.string()) });

/** The file of most hosts that reach the endpoint. */
const file = (server: z.ZodType<Omit<z.output<typeof byHttp>, 'type'>>) =>
  z
    .strictObject({ mcpServers: z.strictObject({ stanza: server }) })
    .transform(({ mcpServers }) => mcpServers.stanza);

/** What a host puts the key in place of, where it stands in `${…}`, and as much of its own schema as the page uses. */
const endpointHosts = {
  'VS Code': {
    key: 'input:stanza-key',
    schema: z
      .strictObject({
        inputs: z.tuple([
          z.strictObject({
            type: z.literal('promptString'),
            id: z.literal('stanza-key'),
            description: z.string(),
            password: z.literal(true),
          }),
        ]),
        servers: z.strictObject({ stanza: byHttp }),
      })
      .transform(({ servers }) => servers.stanza),
  },
  Cursor: { key: 'env:STANZA_KEY', schema: file(z.strictObject({ url, headers })) },
  'Agents of the command line': { key: 'STANZA_KEY', schema: file(byHttp) },
  LibreChat: {
    key: 'STANZA_KEY',
    schema: file(byHttp.extend({ type: z.literal('streamable-http') })),
  },
};

/** As much of the schema of a host as the page uses. */
const programHosts = {
  'Chat clients of the desktop': z
    .strictObject({ mcpServers: z.strictObject({ stanza: byProgram }) })
    .transform(({ mcpServers }) => mcpServers.stanza),
  Zed: z
    .strictObject({ context_servers: z.strictObject({ stanza: byProgram }) })
    .transform(({ context_servers }) => context_servers.stanza),
};

/** What the page shows for a host. */
const shownFor = (host: string): unknown => {
  const [, after = ''] = pageText(page).split(`\n**${host}**`);
  const [block] = blocksOf(after);
  return block?.language === 'yaml' ? parse(block.text) : JSON.parse(block?.text ?? '');
};

describe('the hosts of agents', () => {
  let world: World;
  let key: string;
  let home: string;

  beforeAll(async () => {
    const opened = await openWorldWith({ connected: false });
    world = opened.world;
    ({ key } = await opened.organization.key());
    home = await mkdtemp(join(tmpdir(), 'stanza-hosts-'));
  });
  afterAll(async () => {
    await rm(home, { recursive: true });
    await world.close();
  });

  const expectTools = async (agent: Client): Promise<void> => {
    try {
      expect((await agent.listTools()).tools).toHaveLength(tools.length);
    } finally {
      await agent.close();
    }
  };

  it('are all the files that the page shows', () => {
    const files = blocksOf(pageText(page)).filter(({ language }) => ['json', 'yaml'].includes(language));
    expect(files).toHaveLength(Object.keys({ ...endpointHosts, ...programHosts }).length);
  });

  it.each(Object.entries(endpointHosts))('reach the endpoint as the page says: %s', async (host, known) => {
    const server = known.schema.parse(shownFor(host));
    expect(new URL(server.url)).toMatchObject({ host: 'stanza.example.com', pathname: '/mcp' });
    const own = Object.entries(server.headers).map(([name, value]) => [
      name,
      value.replace(`\${${known.key}}`, key),
    ]);
    const agent = new Client({ name: host, version: '1.0.0' });
    await agent.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', world.api.base), {
        requestInit: { headers: Object.fromEntries(own) },
      }),
    );
    await expectTools(agent);
  });

  it.each(Object.entries(programHosts))('start a program as the page says: %s', async (host, schema) => {
    const env = { HOME: home };
    const login = ['--profile', 'preview', 'login', '--url', world.api.base];
    expect((await stanzaCommand(login, { env, input: key })).code).toBe(0);
    const { command, args } = schema.parse(shownFor(host));
    expect(command).toBe('stanza');
    await expectTools(await connectProgram(args, env));
  });

  it('are a program too, and a shell', async () => {
    const program = join(root, 'tests/docs/examples/agent.ts');
    const env = { STANZA_URL: world.api.base, STANZA_KEY: key };
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', program], { env });
    expect(stdout).toContain(`${tools.map(({ name }) => name).join(' ')}\n`);
    expect(stdout).toContain('valid: true');
    const stackDirectory = dirname(process.env.STANZA_TEST_STACK ?? '');
    const run = await runPage('docs/agents.md', {
      values: { KEY: key, API: world.api.base },
      stackDirectory,
    });
    expect(run.output).toContain('tier_limit');
  });
});
