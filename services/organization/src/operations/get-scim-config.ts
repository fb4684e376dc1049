import { limits, getScimConfig as operation, scimSchemas } from '@stanza/contracts';
import { handle } from '@stanza/runtime';

const no = { supported: false };

/** Describes the supported part of SCIM. */
export const getScimConfig = () =>
  handle(operation, async () => ({
    schemas: [scimSchemas.config],
    patch: { supported: true },
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: limits.page },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken' as const,
        name: 'API key',
        description:
          'An API key of the production environment with the scope users:provision, as a bearer token',
      },
    ],
  }));
