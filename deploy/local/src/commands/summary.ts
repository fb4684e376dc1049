import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { StackDirectory } from '../directory.ts';
import type { StackInfo } from '../info.ts';
import { colours } from '../progress.ts';
import { shortPath } from './home.ts';

const doneSchema = z.object({ template_id: z.string() });

/** The template of the first message, if it was sent, for a first request to the API. */
const welcomeTemplate = (doneFile: string): string | undefined =>
  existsSync(doneFile) ? doneSchema.parse(JSON.parse(readFileSync(doneFile, 'utf8'))).template_id : undefined;

/** A request to try: a message of the welcome template, or, without it, a check of the key. */
const nextCommand = ({ base_url }: StackInfo, key: string, templateId: string | undefined): string[] => {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  if (templateId === undefined) return [`curl -s ${base_url}/v1/auth/validate ${authorization}`];
  const data = { name: 'you', steps: [{ title: 'Look at the sandbox', call: 'and see this message' }] };
  const body = JSON.stringify({ template_id: templateId, channel_id: 'C0DEPLOYS', data });
  return [
    `curl -s ${base_url}/v1/templates/send \\`,
    `  ${authorization} -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ];
};

/** The summary of a start: addresses, a key, and a request to try. */
export const summary = (info: StackInfo, directory: StackDirectory, paint = colours()): string => {
  const first = info.organizations[0];
  const key = first?.keys.owner ?? '';
  const row = (name: string, value: string, note = '') =>
    `    ${name.padEnd(9)}${paint.bold(value)}${note && `  ${paint.dim(note)}`}`;
  return [
    '',
    `  ${paint.green(paint.bold('Stanza is ready'))}`,
    '',
    row('Console', `${info.base_url}/console/`, 'for people; continue as Olivia'),
    row('API', `${info.base_url}/v1`),
    row('Docs', `${info.base_url}/docs`),
    row('Sandbox', info.sandbox_url, 'messages appear here'),
    row('Metrics', info.metrics.gateway ?? '', `the other services': ${shortPath(directory.info)}`),
    row('Key', key, `${first?.name ?? ''}, owner, production`),
    '',
    '  Next:',
    '',
    ...nextCommand(info, key, welcomeTemplate(directory.welcome)).map((line) => `    ${line}`),
    '',
  ].join('\n');
};
