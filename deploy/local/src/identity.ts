/** Whom the session tokens of the sandbox's identity provider are from, and for whom. */
export interface Identity {
  issuer: string;
  audience: string;
}

/** The stand-in for an identity provider; its name outlives the port on which it answers, and so do bound users. */
export const sandboxIdentity: Identity = {
  issuer: 'https://identity.sandbox.example',
  audience: 'stanza',
};

/** Where the sandbox makes session tokens. */
export const identityUrlOf = (sandboxUrl: string): string => `${sandboxUrl}/identity`;

/** The settings of a gateway that name its identity provider. */
const providerSettings = ['STANZA_SESSION_ISSUER', 'STANZA_SESSION_AUDIENCE', 'STANZA_SESSION_JWKS_URL'];

/** The gateway's settings for the sandbox's provider; none where the user names a provider of their own. */
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
