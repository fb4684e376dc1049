import { z } from 'zod';
import type { IdentitySettings } from './identity/tokens.ts';
import type { AppAddress } from './world/app-address.ts';
import type { OAuthApp } from './world/grants.ts';

/** The sandbox's identity provider. Its issuer does not depend on its port, so users stay bound to it. */
export const defaultIdentity: IdentitySettings = {
  issuer: 'https://identity.sandbox.example',
  audience: 'stanza',
};

/** The app of the sandbox; its secret is public. */
export const defaultApp: OAuthApp = { clientId: '1000.sandbox', clientSecret: 'sandbox-client-secret' };

const settings = z.object({
  /** Address to listen on. */
  STANZA_SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 is any free one. */
  STANZA_SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** `iss` of the session tokens. */
  STANZA_SANDBOX_ISSUER: z.string().min(1).default(defaultIdentity.issuer),
  /** `aud` of the session tokens. */
  STANZA_SANDBOX_AUDIENCE: z.string().min(1).default(defaultIdentity.audience),
  /** Secret of a request for a session token; without it none are issued. */
  STANZA_SANDBOX_IDENTITY_SECRET: z.string().min(16).optional(),
  /** Where browsers reach the identity provider, if not where the services do. */
  STANZA_SANDBOX_IDENTITY_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Addresses that a sign-in may lead back to besides those of this machine, separated by commas. */
  STANZA_SANDBOX_REDIRECTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((address) => address.trim()))
    .transform((addresses) => addresses.filter((address) => address !== '')),
  /** Host names besides those of this machine and the address it listens on. */
  STANZA_SANDBOX_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((host) => host.trim()))
    .transform((hosts) => hosts.filter((host) => host !== '')),
  /** Id of the app that can be installed. */
  STANZA_SANDBOX_CLIENT_ID: z.string().min(1).default(defaultApp.clientId),
  /** Secret of that app. */
  STANZA_SANDBOX_CLIENT_SECRET: z.string().min(1).default(defaultApp.clientSecret),
  /** Address of the app for interactions. */
  STANZA_SANDBOX_INTERACTIONS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Secret that signs callbacks; the app has the same. */
  STANZA_CHAT_SIGNING_SECRET: z.string().min(1).optional(),
});

/** The sandbox's settings, read from the environment. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly identity: IdentitySettings;
  readonly app: OAuthApp;
  readonly listener?: AppAddress;
}

/** Reads the settings; throws an error that names every bad one. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const result = settings.safeParse(environment);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`bad settings: ${lines.join('; ')}`);
  }
  const { data } = result;
  const { STANZA_SANDBOX_INTERACTIONS_URL: interactions_url, STANZA_CHAT_SIGNING_SECRET: signing_secret } =
    data;
  return {
    host: data.STANZA_SANDBOX_HOST,
    port: data.STANZA_SANDBOX_PORT,
    hosts: data.STANZA_SANDBOX_HOSTS,
    identity: {
      issuer: data.STANZA_SANDBOX_ISSUER,
      audience: data.STANZA_SANDBOX_AUDIENCE,
      secret: data.STANZA_SANDBOX_IDENTITY_SECRET,
      publicUrl: data.STANZA_SANDBOX_IDENTITY_URL,
      redirects: data.STANZA_SANDBOX_REDIRECTS,
    },
    app: { clientId: data.STANZA_SANDBOX_CLIENT_ID, clientSecret: data.STANZA_SANDBOX_CLIENT_SECRET },
    ...(interactions_url !== undefined && signing_secret !== undefined
      ? { listener: { interactions_url, signing_secret } }
      : {}),
  };
}
