import { describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@stanza/runtime';

import { Deadline } from '../deadline.ts';
import type { GuardedChat } from './guarded.ts';
import { Recipients } from './recipients.ts';

const access = { connectionId: 'connection', workspaceId: 'T1', token: 'token' };
const attempt = {
  method: 'users.info',
  outcome: 'refused',
  latency_ms: 1,
  started_at: '2026-11-28T08:00:00.000Z',
};

/** People whose locale the platform refuses to say, and whom it is asked for. */
const refusing = (error: string) => {
  const asked: unknown[] = [];
  const chat: GuardedChat = {
    call: async ({ args }) => {
      asked.push(args.user);
      return { outcome: { kind: 'refused', error, notes: [] }, attempt };
    },
    breakers: () => [],
    close: async () => undefined,
  };
  const recipients = new Recipients(chat, systemClock);
  const localeOf = (user: string, of = access) =>
    recipients.localeOf(
      of,
      { recipient_chat_id: user },
      {
        deadline: Deadline.in(systemClock, 1_000),
        log: silentLogger(),
        journal: [],
      },
    );
  return { asked, localeOf };
};

describe('the locale of a person', () => {
  it('is asked for once where the platform does not know the person', async () => {
    const { asked, localeOf } = refusing('user_not_found');
    for (const user of ['U1', 'U1', 'U2']) {
      await expect(localeOf(user)).rejects.toMatchObject({ code: 'chat_user_not_found' });
    }
    expect(asked).toEqual(['U1', 'U2']);
  });

  it('is asked for once in a workspace whose app may not read it', async () => {
    const { asked, localeOf } = refusing('missing_scope');
    for (const user of ['U1', 'U2', 'U3']) {
      await expect(localeOf(user)).rejects.toMatchObject({ code: 'chat_not_connected' });
    }
    await expect(localeOf('U4', { ...access, connectionId: 'other' })).rejects.toThrow();
    expect(asked).toEqual(['U1', 'U4']);
  });
});
