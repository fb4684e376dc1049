import { describe, expect, it } from '@jest/globals';
import { chatAppSettings } from './chat.ts';

describe('the app of a stack', () => {
  it('is that of the sandbox, with its callback at the gateway', () => {
    expect(chatAppSettings('http://127.0.0.1:8787', {})).toMatchObject({
      STANZA_CHAT_REDIRECT_URL: 'http://127.0.0.1:8787/v1/chat/oauth/callback',
    });
  });

  it.each(['STANZA_CHAT_API_URL', 'STANZA_CHAT_CLIENT_ID'])(
    'is not that of the sandbox when %s is set',
    (name) => {
      expect(chatAppSettings('http://127.0.0.1:8787', { [name]: 'x' })).toEqual({});
    },
  );

  it('does not exist without a gateway for the callback', () => {
    expect(chatAppSettings(undefined, {})).toEqual({});
  });
});
