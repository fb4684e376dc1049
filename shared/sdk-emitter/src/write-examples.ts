import { exampleLines } from './example.ts';
import { sdkOperations } from './operations.ts';
import { generatedHead, registrySource } from './write-types.ts';

/** A program for each method, which tests check and run; pages show what is in them. */
export const examplesFile = (): string => {
  const programs = sdkOperations.map((operation) => {
    const lines = exampleLines(operation).map((line) => `    ${line}`.trimEnd());
    return `  '${operation.method.join('.')}': async (stanza) => {\n${lines.join('\n')}\n  },\n`;
  });
  return `${generatedHead(registrySource)}
import type { Stanza } from '@stanza/sdk';

/** What a program does with each method of the SDK. */
export const examples: Readonly<Record<string, (stanza: Stanza) => Promise<void>>> = {
${programs.join('')}};
`;
};
