import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsConfig, natsUsers } from '@stanza/local/nats/config';
import { checkout, composeFileName } from './compose-file.ts';

/** What the configuration of NATS says besides passwords: users and their rights above all. */
const configuration = (): string => {
  const passwords = Object.fromEntries(natsUsers.map((user) => [user, '']));
  return natsConfig({ host: '0.0.0.0', port: 4222, passwords });
};

/**
 * docker-compose.yml with the label by which "up" starts NATS anew: a server reads its configuration when it starts, and
 * nothing else in the file says that a release has other rights.
 */
export const labelledCompose = (): string => {
  const digest = createHash('sha256').update(configuration()).digest('hex').slice(0, 16);
  const text = readFileSync(join(checkout, composeFileName), 'utf8');
  const label = /(?<=stanza\.configuration: )'\w*'/;
  if (!label.test(text)) throw new Error(`${composeFileName} has no label stanza.configuration of nats`);
  return text.replace(label, `'${digest}'`);
};
