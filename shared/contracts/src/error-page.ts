import { type ErrorCode, errorCodes, errorTable } from './error-codes.ts';
import { exampleFor } from './openapi/errors.ts';

const row = (code: ErrorCode): string =>
  `| ${errorTable[code].status} | [\`${code}\`](#${code}) | ${errorTable[code].meaning} |`;

const section = (code: ErrorCode): string => {
  const { status, meaning, advice } = errorTable[code];
  return `## \`${code}\`

Status ${status}. ${meaning}

**What to do:** ${advice}

\`\`\`json
${JSON.stringify(exampleFor(false, status, code), null, 2)}
\`\`\`
`;
};

/** The documentation page of all error codes, in Markdown, by status. */
export const errorPage = (): string => {
  const sorted = [...errorCodes].sort((one, other) => errorTable[one].status - errorTable[other].status);
  return `# Error codes

Every error answer is a JSON object with \`error\` (for people, may change), \`code\` (stable: match on it),
\`request_id\` (for the operator) and \`docs\` (the section of the code on the site of the gateway). Where there are several problems, \`details\` holds one line
for each. The header \`Retry-After\` of answers with status 429 and 503 holds the seconds to wait. A body that is too large is refused with \`invalid_request\` and status 413.

Made from the registry in \`shared/contracts/src/error-codes.ts\` by \`npm run docs\`.

| status | code | what it means |
|---|---|---|
${sorted.map(row).join('\n')}

${sorted.map(section).join('\n')}`;
};
