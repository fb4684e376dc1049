import type { RequestHandler } from 'express';
import type { GatewaySettings } from '../config.ts';

/** Where the metadata of the API lie (RFC 9728). */
export const protectedResourcePath = '/.well-known/oauth-protected-resource';

/** The provider's own metadata: where the settings say, else where OpenID Connect has them. */
export const discoveryUrlOf = (
  issuer: string,
  { STANZA_CONSOLE_DISCOVERY_URL: given }: Pick<GatewaySettings, 'STANZA_CONSOLE_DISCOVERY_URL'>,
): string => given ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** Tells programs on people's machines where their people sign in; undefined where the command is no client there. */
export const protectedResource = (settings: GatewaySettings): RequestHandler | undefined => {
  const {
    STANZA_SESSION_ISSUER: issuer,
    STANZA_COMMAND_CLIENT_ID: clientId,
    STANZA_CONSOLE_URL: origin,
  } = settings;
  if (issuer === undefined || clientId === undefined) return undefined;
  return (request, response) => {
    response.set('Cache-Control', 'no-cache').json({
      resource: origin ?? `${request.protocol}://${request.get('host')}`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Stanza',
      stanza_openid_configuration: discoveryUrlOf(issuer, settings),
      stanza_command_client_id: clientId,
    });
  };
};
