import { CodedError } from '@stanza/contracts';

/** The app that the chat platform installs in workspaces on behalf of this service. */
export interface ChatApp {
  clientId: string;
  clientSecret: string;
  /** Where the platform sends browsers back to: the callback of this service, as the app names it there. */
  redirectUrl: string;
  /** What the app asks for in a workspace. */
  scopes: readonly string[];
  /** The platform's screen. */
  authorizeUrl: string;
}

/** Everything that the service calls takes one of these. */
export const usualScopes = [
  'channels:history',
  'chat:write',
  'chat:write.customize',
  'chat:write.public',
  'groups:history',
  'im:history',
  'im:write',
  'mpim:history',
  'users:read',
  'users:read.email',
];

/** The settings that make an app, together or not at all. */
export const appSettings = [
  'STANZA_CHAT_CLIENT_ID',
  'STANZA_CHAT_CLIENT_SECRET',
  'STANZA_CHAT_REDIRECT_URL',
] as const;

/** What an app is made from. */
export interface AppSettings extends Partial<Record<(typeof appSettings)[number], string | undefined>> {
  STANZA_CHAT_API_URL: string;
  STANZA_CHAT_SCOPES: readonly string[];
}

/** The app of the settings; undefined where they name none. */
export const appOf = (settings: AppSettings): ChatApp | undefined => {
  const {
    STANZA_CHAT_CLIENT_ID: clientId,
    STANZA_CHAT_CLIENT_SECRET: clientSecret,
    STANZA_CHAT_REDIRECT_URL: redirectUrl,
    STANZA_CHAT_API_URL: apiUrl,
    STANZA_CHAT_SCOPES: scopes,
  } = settings;
  if (clientId === undefined || clientSecret === undefined || redirectUrl === undefined) return undefined;
  // The screen stands beside the API, at the platform as at its stand-in.
  const api = apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`;
  return {
    clientId,
    clientSecret,
    redirectUrl,
    scopes,
    authorizeUrl: new URL('../oauth/v2/authorize', api).href,
  };
};

/** @throws CodedError `misconfigured` where the settings name no app */
export const requireApp = (app: ChatApp | undefined): ChatApp => {
  if (app) return app;
  throw new CodedError('misconfigured', {
    message: `Installing through the chat platform needs the settings ${appSettings.join(', ')}. A bot token can be given with PUT /v1/chat-connection.`,
  });
};

/** The address of the platform's screen for one installation. */
export const authorizeAddress = (app: ChatApp, state: string): string => {
  const url = new URL(app.authorizeUrl);
  url.searchParams.set('client_id', app.clientId);
  url.searchParams.set('scope', app.scopes.join(','));
  url.searchParams.set('redirect_uri', app.redirectUrl);
  url.searchParams.set('state', state);
  return url.href;
};
