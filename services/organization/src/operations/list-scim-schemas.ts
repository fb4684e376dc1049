import { listScimSchemas as operation, scimSchemas } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { describedSchemas } from '../domain/scim-schemas.ts';

/** Describes the attributes of resources. */
export const listScimSchemas = () =>
  handle(operation, async () => ({
    schemas: [scimSchemas.list],
    totalResults: describedSchemas.length,
    startIndex: 1,
    itemsPerPage: describedSchemas.length,
    Resources: [...describedSchemas],
  }));
