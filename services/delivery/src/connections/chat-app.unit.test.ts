import { describe, expect, it } from '@jest/globals';
import { appOf, authorizeAddress, requireApp } from './chat-app.ts';

const settings = {
  STANZA_CHAT_API_URL: 'https://chat.example/api/',
  STANZA_CHAT_SCOPES: ['chat:write', 'im:write'],
  STANZA_CHAT_CLIENT_ID: '1.2',
  STANZA_CHAT_CLIENT_SECRET: 'secret',
  STANZA_CHAT_REDIRECT_URL: 'https://stanza.example/v1/chat/oauth/callback',
};

describe('the app at the chat platform', () => {
  it.each(['https://chat.example/api/', 'https://chat.example/api'])(
    'has its screen beside the API at %s',
    (STANZA_CHAT_API_URL) => {
      const app = requireApp(appOf({ ...settings, STANZA_CHAT_API_URL }));
      expect(app.authorizeUrl).toBe('https://chat.example/oauth/v2/authorize');
    },
  );

  it('requests its scopes, names its redirect address, and does not show its secret', () => {
    const address = authorizeAddress(requireApp(appOf(settings)), 'state-1');
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
      client_id: '1.2',
      scope: 'chat:write,im:write',
      redirect_uri: settings.STANZA_CHAT_REDIRECT_URL,
      state: 'state-1',
    });
    expect(address).not.toContain('secret');
  });

  it('is missing where a setting is, which the error names', () => {
    const app = appOf({ ...settings, STANZA_CHAT_CLIENT_SECRET: undefined });
    expect(app).toBeUndefined();
    expect(() => requireApp(app)).toThrow(/STANZA_CHAT_CLIENT_SECRET/);
  });
});
