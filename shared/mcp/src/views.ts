import type { McpServer } from '@modelcontextprotocol/server';
import { previewView } from './preview-view.ts';

/** The address of the page that draws a preview. */
export const previewViewAddress = 'ui://stanza/preview';

/** The type of a page that hosts show next to the result of a tool (MCP Apps). */
const appType = 'text/html;profile=mcp-app';

/** The page neither loads nor sends anything, and asks its host to let it do nothing of that. */
const nothingElsewhere = { connectDomains: [], resourceDomains: [] };

/** Offers the page that draws a preview; hosts without views show the text of the result. */
export const registerPreviewView = (server: McpServer): void => {
  const about = { _meta: { ui: { csp: nothingElsewhere, prefersBorder: true } } };
  server.registerResource(
    'preview',
    previewViewAddress,
    {
      title: 'Preview of a message',
      description: 'Draws the message that the tool "preview" makes. Loads nothing from elsewhere.',
      mimeType: appType,
      ...about,
    },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType: appType, text: previewView, ...about }],
    }),
  );
};
