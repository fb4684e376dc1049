import { argumentsOf } from './arguments.ts';
import { exampleLines } from './example.ts';
import { type Kind, type SdkOperation, sdkOperations } from './operations.ts';
import { eventName, itemName, replyName } from './write-types.ts';

const retried: Readonly<Record<Kind, string>> = {
  read: 'It changes nothing, so it is retried when no answer comes.',
  keyed: 'It takes an idempotency key, so it is retried when no answer comes.',
  change: 'It takes no idempotency key: when no answer comes, check what happened before you call it again.',
};

const answerOf = (operation: SdkOperation): string => {
  if (operation.item !== undefined) return `\`List<${itemName(operation)}>\``;
  if (operation.event !== undefined) return `\`AsyncIterable<${eventName(operation)}>\``;
  return `\`${operation.reply === undefined ? 'void' : replyName(operation)}\``;
};

const sectionOf = (operation: SdkOperation): string => {
  const { method, source, description, kind, codes } = operation;
  const name = method.join('.');
  return `### ${name}

${source.summary}: \`stanza.${name}(${argumentsOf(operation).replaceAll('types.', '')})\`, which answers ${answerOf(operation)}. It is \`${source.method} /v1${source.path}\`.

${description}

${retried[kind]} Its codes: ${codes.map((code) => `\`${code}\``).join(', ')}.

\`\`\`ts
${exampleLines(operation).join('\n')}
\`\`\`
`;
};

const partsOf = (): Map<string, SdkOperation[]> =>
  Map.groupBy(sdkOperations, ({ method }) => method[0] ?? '');

/** The page of the SDK's methods. */
export const referencePage = (): string => {
  const parts = [...partsOf()].map(
    ([part, operations]) => `## ${part}\n\n${operations.map(sectionOf).join('\n')}`,
  );
  return `# Methods of the SDK

Every operation of the API that programs call is a method, under the names of its path. [The SDK](sdk.md) says how all of them behave:
options, errors, retries, lists. The build makes this page from the registry of operations; a test checks and runs the example of each.

${parts.join('\n')}`;
};
