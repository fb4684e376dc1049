/** The app that can be installed in the sandbox; its secret is public. */
export const sandboxApp = { clientId: '1000.sandbox', clientSecret: 'sandbox-client-secret' };

/** The settings of the delivery service for its app and the platform. */
const appSettings = [
  'STANZA_CHAT_API_URL',
  'STANZA_CHAT_CLIENT_ID',
  'STANZA_CHAT_CLIENT_SECRET',
  'STANZA_CHAT_REDIRECT_URL',
];

/**
 * Settings of the app at the sandbox, with its callback at a gateway; empty when the user sets a platform or an app.
 */
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
