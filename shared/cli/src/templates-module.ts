/** A template whose data the SDK is to know. */
export interface TypedTemplate {
  readonly key: string;
  readonly description?: string | null | undefined;
  /** TypeScript of its data. */
  readonly dataType: string;
}

const commentOf = (text: string): string =>
  `    /** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()} */\n`;

const memberOf = ({ key, description, dataType }: TypedTemplate): string => {
  const name = /^[a-z][a-z\d]*$/.test(key) ? key : `'${key}'`;
  return `${description ? commentOf(description) : ''}    ${name}: ${dataType.replaceAll('\n', '\n    ')};\n`;
};

/**
 * The module that tells the SDK of templates: types alone, nothing of which is left at run time. Templates stand in
 * the order of their keys, so that the same templates make the same text.
 */
export const templatesModule = (templates: readonly TypedTemplate[]): string => {
  const members = templates.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(memberOf);
  return `// Made by \`stanza types\` from the live versions of templates.
import '@stanza/sdk';

declare module '@stanza/sdk' {
  interface Templates {
${members.join('\n')}  }
}
`;
};
