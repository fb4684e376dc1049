/** The app that the sandbox lets people install; a stand-in has no secrets. */
export const sandboxApp = { clientId: '1000.sandbox', clientSecret: 'sandbox-client-secret' };

/** The settings of the delivery service that name its app, and the platform that knows it. */
const appSettings = [
  'STANZA_CHAT_API_URL',
  'STANZA_CHAT_CLIENT_ID',
  'STANZA_CHAT_CLIENT_SECRET',
  'STANZA_CHAT_REDIRECT_URL',
];

/** The app at the sandbox, with its callback at a gateway; none where the user names a platform or an app of their own. */
export const chatAppSettings = (
  gatewayUrl: string | undefined,
  userSettings: Record<string, string>,
): Record<string, string> => {
  if (gatewayUrl === undefined || appSettings.some((name) => userSettings[name] !== undefined)) return {};
  return {
    STANZA_CHAT_CLIENT_ID: sandboxApp.clientId,
    STANZA_CHAT_CLIENT_SECRET: sandboxApp.clientSecret,
    STANZA_CHAT_REDIRECT_URL: `${gatewayUrl}/v1/chat/oauth/callback`,
  };
};
