import { CodedError } from '@stanza/contracts';

/** The app of this service at the chat platform. */
export interface ChatApp {
  clientId: string;
  clientSecret: string;
  /** The redirect URL of this service, as registered in the app. */
  redirectUrl: string;
  /** The scopes that the app requests in a workspace. */
  scopes: readonly string[];
  /** The platform's authorization page. */
  authorizeUrl: string;
}

/** Every method that the service calls needs one of these. */
export const usualScopes = [
  'channels:history',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'chat:write.public',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'mpim:history',
  'users:read',
  'users:read.email',
];

/** The settings of an app, given together or not at all. */
export const appSettings = [
  'STANZA_CHAT_CLIENT_ID',
  'STANZA_CHAT_CLIENT_SECRET',
  'STANZA_CHAT_REDIRECT_URL',
] as const;

/** The inputs of an app. */
export interface AppSettings extends Partial<Record<(typeof appSettings)[number], string | undefined>> {
  STANZA_CHAT_API_URL: string;
  STANZA_CHAT_SCOPES: readonly string[];
}

/** The configured app; undefined without one. */
export const appOf = (settings: AppSettings): ChatApp | undefined => {
  const {
    STANZA_CHAT_CLIENT_ID: clientId,
    STANZA_CHAT_CLIENT_SECRET: clientSecret,
    STANZA_CHAT_REDIRECT_URL: redirectUrl,
    STANZA_CHAT_API_URL: apiUrl,
    STANZA_CHAT_SCOPES: scopes,
  } = settings;
  if (clientId === undefined || clientSecret === undefined || redirectUrl === undefined) return undefined;
  // The authorization page is next to the API, at the platform and its sandbox alike.
  const api = apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`;
  return {
    clientId,
    clientSecret,
    redirectUrl,
    scopes,
    authorizeUrl: new URL('../oauth/v2/authorize', api).href,
  };
};

/** @throws CodedError `misconfigured` without a configured app */
export const requireApp = (app: ChatApp | undefined): ChatApp => {
  if (app) return app;
  throw new CodedError('misconfigured', {
    message: `Installing through the chat platform needs the settings ${appSettings.join(', ')}. A bot token can be given with PUT /v1/chat-connection.`,
  });
};

/** The URL of the platform's authorization page for one installation. */
export const authorizeAddress = (app: ChatApp, state: string): string => {
  const url = new URL(app.authorizeUrl);
  url.searchParams.set('client_id', app.clientId);
  url.searchParams.set('scope', app.scopes.join(','));
  url.searchParams.set('redirect_uri', app.redirectUrl);
  url.searchParams.set('state', state);
  return url.href;
};
