import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@stanza/contracts';
import { refusalFor } from '@stanza/local/admin/operator';
import { codeOf, StackFailure } from '@stanza/local/failure';
import { type DemoOrganization, demoOrganizationSchema } from '@stanza/local/info';
import { parseNatsUrl } from '@stanza/local/nats/address';
import { type SeedOptions, seedDemo } from '@stanza/local/seed';
import { RpcFailure } from '@stanza/runtime';
import { z } from 'zod';

/** File of the demo organizations and their keys, which are shown only once. */
export const demoFile = '/var/lib/stanza/demo/demo.json';

/** Milliseconds for services that start together with this process, as "docker compose restart" starts them. */
const patienceMs = 120_000;

const isStarting = (error: unknown): boolean =>
  error instanceof RpcFailure || (error instanceof CodedError && error.code === 'service_unavailable');

/**
 * The result of an attempt that reaches all services; one that does not is repeated.
 * @throws the last error, of services as a StackFailure
 */
export const onceAnswered = async <T>(
  attempt: () => Promise<T>,
  { timeoutMs = patienceMs, everyMs = 1_000 } = {},
): Promise<T> => {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isStarting(error) || performance.now() >= giveUpAt) throw refusalFor(error);
    }
    await pause(everyMs);
  }
};

/** Creates missing demo organizations, and prints the next steps. */
export const makeDemo = async (
  natsUrl: string,
  file: string,
  { api, ...options }: { api: string } & SeedOptions,
): Promise<string> => {
  const { url, user = 'admin', password = '' } = parseNatsUrl(natsUrl);
  const seed = () => seedDemo({ url, user, password }, file, { ...options, patienceMs });
  const organizations = await onceAnswered(seed);
  const [first] = organizations;
  if (first === undefined)
    return [
      '',
      'The demo organizations are there already; nothing is changed. For another key of one:',
      '  admin organization list',
      '  admin keys create ORGANIZATION_ID --name NAME',
      '',
    ].join('\n');
  return [
    '',
    'Stanza is ready.',
    ...organizations.map((it) => `  organization  ${it.id}  ${it.name}`),
    `  key           ${first.keys.owner}  ${first.name}, owner, production`,
    '',
    'Next:',
    `  curl -s ${api}/v1/auth/validate -H 'Authorization: Bearer ${first.keys.owner}'`,
    '',
  ].join('\n');
};

/** Reads the demo organizations. */
export const readDemo = async (file: string): Promise<DemoOrganization[]> => {
  try {
    return z.array(demoOrganizationSchema).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new StackFailure('There are no demo organizations yet.', 'Run the command seed first.');
  }
};
