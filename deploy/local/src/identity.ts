/** Issuer and audience of the sandbox's session tokens. */
export interface Identity {
  issuer: string;
  audience: string;
}

/** The stand-in for an identity provider. Its issuer does not depend on its port, so users stay bound to it. */
export const sandboxIdentity: Identity = {
  issuer: 'https://identity.sandbox.example',
  audience: 'stanza',
};

/** The address of the sandbox's session tokens. */
export const identityUrlOf = (sandboxUrl: string): string => `${sandboxUrl}/identity`;

/** The settings of a gateway that name its identity provider. */
const providerSettings = ['STANZA_SESSION_ISSUER', 'STANZA_SESSION_AUDIENCE', 'STANZA_SESSION_JWKS_URL'];

/** The gateway's settings for the sandbox's provider; empty when the user sets a provider. */
export const sessionSettings = (
  sandboxUrl: string,
  userSettings: Record<string, string>,
): Record<string, string> => {
  if (providerSettings.some((name) => userSettings[name] !== undefined)) return {};
  return {
    STANZA_SESSION_ISSUER: sandboxIdentity.issuer,
    STANZA_SESSION_AUDIENCE: sandboxIdentity.audience,
    STANZA_SESSION_JWKS_URL: `${identityUrlOf(sandboxUrl)}/.well-known/jwks.json`,
  };
};

/** The application as which the console asks the sandbox's provider. */
const consoleClientId = 'stanza-console';

/** The application as which the command does. */
const commandClientId = 'stanza-command';

/**
 * The gateway's settings for signing in to the console: at the sandbox's provider, unless the user names another one.
 * @param gatewayUrl where browsers reach the gateway; undefined where none runs
 */
export const consoleSettings = (
  gatewayUrl: string | undefined,
  sandboxUrl: string,
  secrets: { identity_secret: string; console_keys: string },
  userSettings: Record<string, string>,
): Record<string, string> => {
  if (gatewayUrl === undefined) return {};
  const own = { STANZA_CONSOLE_URL: gatewayUrl, STANZA_CONSOLE_KEYS: secrets.console_keys };
  if (providerSettings.some((name) => userSettings[name] !== undefined)) return own;
  return {
    ...own,
    STANZA_COMMAND_CLIENT_ID: commandClientId,
    STANZA_DECIDING_CLIENTS: consoleClientId,
    STANZA_CONSOLE_CLIENT_ID: consoleClientId,
    STANZA_CONSOLE_CLIENT_SECRET: secrets.identity_secret,
    STANZA_CONSOLE_DISCOVERY_URL: `${identityUrlOf(sandboxUrl)}/.well-known/openid-configuration`,
  };
};
