import { describe, expect, it } from '@jest/globals';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { namingRevisions } from './revisions.ts';

const refusal = (code: number, data: object) =>
  Response.json({ jsonrpc: '2.0', id: 1, error: { code, message: 'no', data } }, { status: 400 });

describe('an answer of the protocol', () => {
  it('names every revision that is served where it refuses one', async () => {
    const answer = await namingRevisions(
      refusal(-32_022, { supported: ['2026-07-28'], requested: '1999-01-01' }),
    );
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32_022,
          message: 'no',
          data: { supported: ['2026-07-28', '2025-11-25'], requested: '1999-01-01' },
        },
      },
    ]);
  });

  it('names the newest revision too where it refuses that of a header', async () => {
    const handler = createMcpHandler(() => new McpServer({ name: 'stanza', version: '1' }), {});
    const refused = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2024-01-01',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      }),
    );
    const answer = await namingRevisions(refused);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('(supported versions: 2026-07-28, 2025-11-25, ') } },
    ]);
    await handler.close();
  });

  it('stays unchanged where it refuses something else, nothing, or is no JSON', async () => {
    const other = await namingRevisions(refusal(-32_020, { mismatch: {} }));
    expect([other.status, await other.json()]).toMatchObject([400, { error: { data: { mismatch: {} } } }]);
    for (const kept of [Response.json({}), new Response('cut', { status: 400 })]) {
      expect(await namingRevisions(kept)).toBe(kept);
    }
  });
});
