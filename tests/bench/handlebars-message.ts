import Handlebars from 'handlebars';

/** The ordinary message as people write it for handlebars: the text of a JSON array of blocks. */
export const source = `[
{"type":"header","text":{"type":"plain_text","text":"Deploy of {{{j service}}}"}},
{"type":"section","text":{"type":"mrkdwn","text":"*{{{j version}}}* is live, by {{{j author.name}}}."}},
{{#each changes}}{"type":"section","text":{"type":"mrkdwn","text":"• {{{j title}}} ({{{j id}}})"}},{{/each}}
{"type":"divider"},
{"type":"context","elements":[{"type":"mrkdwn","text":"{{{j environment}}} · {{count}} checks"}]}
]`;

const amp = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;
Handlebars.registerHelper('j', (value: unknown) => {
  const text = String(value).replace(/[&<>]/g, (found) =>
    found === '&' ? amp['&'] : found === '<' ? amp['<'] : amp['>'],
  );
  return JSON.stringify(text).slice(1, -1);
});

const programs = new Map<string, Handlebars.TemplateDelegate>();

/** The blocks that a version of a template makes of data; the version is compiled once. */
export const blocksOf = (versionId: string, text: string, data: unknown): unknown[] => {
  const program = programs.get(versionId) ?? Handlebars.compile(text);
  programs.set(versionId, program);
  return JSON.parse(program(data));
};
