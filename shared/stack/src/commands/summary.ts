import type { StackInfo } from '../info.ts';
import { colours } from '../progress.ts';

/** The last word of a start: where everything is, a key, and what to try next. */
export const summary = (info: StackInfo, paint = colours()): string => {
  const first = info.organizations[0];
  const key = first?.keys.owner ?? '';
  const row = (name: string, value: string, note = '') =>
    `    ${name.padEnd(9)}${paint.bold(value)}${note && `  ${paint.dim(note)}`}`;
  return [
    '',
    `  ${paint.green(paint.bold('Stanza is ready'))}`,
    '',
    row('API', `${info.base_url}/v1`),
    row('Docs', `${info.base_url}/docs`),
    row('Sandbox', info.sandbox_url, 'messages appear here'),
    row('Metrics', info.metrics.gateway ?? '', 'of the other services: .stanza/stack.json'),
    row('Key', key, `${first?.name ?? ''}, owner, production`),
    '',
    `  ${paint.dim('Next:')}`,
    `    curl -s ${info.base_url}/v1/auth/validate -H 'Authorization: Bearer ${key}'`,
    '',
  ].join('\n');
};
