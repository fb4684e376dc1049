import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { natsConfig, natsUsers } from './config.ts';

const configSchema = z.object({
  listen: z.string(),
  max_payload: z.number(),
  accounts: z.object({
    STANZA: z.object({
      users: z.array(
        z.object({
          user: z.string(),
          password: z.string(),
          permissions: z.object({ subscribe: z.object({ allow: z.array(z.string()) }) }),
        }),
      ),
    }),
  }),
});

const passwords = Object.fromEntries(natsUsers.map((user) => [user, 'secret']));
const config = configSchema.parse(JSON.parse(natsConfig({ port: 4222, passwords })));

describe("the broker's configuration", () => {
  it('listens only on this machine and takes messages of 8 MB', () => {
    expect(config.listen).toBe('127.0.0.1:4222');
    expect(config.max_payload).toBe(8 * 1024 * 1024);
  });

  it('has a user for each caller', () => {
    expect(config.accounts.STANZA.users.map((it) => it.user)).toEqual([...natsUsers]);
    expect(config.accounts.STANZA.users.find((it) => it.user === 'gateway')?.password).toBe('secret');
  });

  it('lets each user subscribe only to its own inbox', () => {
    for (const { user, permissions } of config.accounts.STANZA.users) {
      const inboxes = permissions.subscribe.allow.filter((it) => it.startsWith('_INBOX') || it === '>');
      expect(inboxes).toEqual([`_INBOX.${user}.>`]);
    }
  });
});
