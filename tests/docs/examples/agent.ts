import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { STANZA_URL = 'http://127.0.0.1:8787', STANZA_KEY = '' } = process.env;
const agent = new Client({ name: 'release-notes', version: '1.0.0' });
await agent.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', STANZA_URL), {
    requestInit: { headers: { Authorization: `Bearer ${STANZA_KEY}` } },
  }),
);

const { tools } = await agent.listTools();
console.log(tools.map(({ name }) => name).join(' '));

const checked = await agent.callTool({
  name: 'validate',
  arguments: { blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Release of {{service}}' } }] },
});
console.log(checked.structuredContent);
await agent.close();
