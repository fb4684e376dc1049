import { listScimResourceTypes as operation, scimSchemas } from '@stanza/contracts';
import { handle } from '@stanza/runtime';

const typeOf = (name: string, endpoint: string, schema: string) => ({
  schemas: [scimSchemas.resourceType],
  id: name,
  name,
  endpoint,
  schema,
  meta: { resourceType: 'ResourceType' as const, location: `ResourceTypes/${name}` },
});

const Resources = [typeOf('User', '/Users', scimSchemas.user), typeOf('Group', '/Groups', scimSchemas.group)];

/** Names the types of resources. */
export const listScimResourceTypes = () =>
  handle(operation, async () => ({
    schemas: [scimSchemas.list],
    totalResults: Resources.length,
    startIndex: 1,
    itemsPerPage: Resources.length,
    Resources,
  }));
