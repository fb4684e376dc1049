import { describe, expect, it } from '@jest/globals';
import { readIdentity, refuseEnterprise } from './identify.ts';

/** What the platform answers about a token. */
const told = (more: object) => ({
  kind: 'ok' as const,
  data: { ok: true, team_id: 'T0ACME', team: 'acme', user_id: 'U0STANZA', ...more },
});

describe('The owner of a token', () => {
  it('A whole enterprise as the owner of a token is refused, and one workspace is not', () => {
    expect(() => refuseEnterprise(told({ is_enterprise_install: true }))).toThrow(
      expect.objectContaining({ code: 'chat_not_connected' }),
    );
    refuseEnterprise(told({ is_enterprise_install: false }));
    refuseEnterprise(told({}));
    expect(readIdentity(told({}))).toMatchObject({ workspace_id: 'T0ACME', bot_user_id: 'U0STANZA' });
  });
});
