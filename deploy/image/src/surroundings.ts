import { StackFailure } from '@stanza/local/failure';

const given = (name: string, example: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new StackFailure(`${name} is required.`, `It is an address such as ${example}.`);
};

/** The database, for a user who may create roles. */
export const databaseUrl = (): string => given('DATABASE_URL', 'postgres://stanza@postgres:5432/stanza');

/** The broker; with a user for processes that connect to it. */
export const natsUrl = (): string => given('NATS_URL', 'nats://nats:4222');
