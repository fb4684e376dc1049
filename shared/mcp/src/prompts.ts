import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const asked = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

/** Offers people what they ask of an agent most: each a way through the tools. */
export const registerPrompts = (server: McpServer): void => {
  server.registerPrompt(
    'write_template',
    {
      title: 'Write a template',
      description: 'Writes a message template and proposes it to a person.',
      argsSchema: z.object({
        purpose: z.string().max(2_000).describe('what the message tells, and to whom'),
      }),
    },
    ({ purpose }) =>
      asked(
        `Write a message template with the tools of Stanza. What it is for: ${purpose}

1. Look with "find" whether there is one already; where there is, read it and change its draft in place of a new one.
2. Read the overview of "language", then the topics that you need.
3. Write blocks with sample data, and mend them until "validate" finds no problem.
4. Look at the message with "preview", also with long and with missing values.
5. Use "create" for a new template, or "draft" and "save" for one that is there. Then "propose" it with a note that says what is new.
6. Say what data it takes, and that a person has to accept it.`,
      ),
  );
  server.registerPrompt(
    'explain_failure',
    {
      title: 'Explain a failure',
      description: 'Explains why a request or a message failed, and what to do.',
      argsSchema: z.object({
        request_id: z.string().max(128).optional().describe('the request_id of the error'),
        code: z.string().max(60).optional().describe('the code of the error'),
      }),
    },
    ({ request_id, code }) => {
      const known = [
        ...(request_id === undefined ? [] : [`request_id ${request_id}`]),
        ...(code === undefined ? [] : [`code ${code}`]),
      ];
      const from =
        known.length === 0
          ? 'Ask for the request_id or the code of the error first.'
          : `Known: ${known.join(', ')}.`;
      return asked(
        `Explain a failure of Stanza. ${from}

1. Ask "explain" for the request, and for each code that comes of it.
2. Where a template is concerned, "read" it; where data is, "preview" the template with that data.
3. Search the documentation with the words of the cause (\`explain\` with \`words\`).
4. Say what happened, what was and was not sent, who can mend it, and how. Say what you could not look at.`,
      );
    },
  );
};
