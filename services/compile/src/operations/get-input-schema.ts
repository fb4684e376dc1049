import { getInputSchema as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { type InputDependencies, inputSchemaOf } from '../input-schema.ts';

/** Answers the inputs of a template's version. */
export const getInputSchema = (dependencies: InputDependencies) =>
  handle(operation, async ({ input: { params, query }, principal, context }) => {
    const request = { templateId: params.id, versionId: query.version_id, principal, context };
    const { version_id, fields, json_schema, warnings } = await inputSchemaOf(dependencies, request);
    return { template_id: params.id.toLowerCase(), version_id, fields, json_schema, warnings };
  });
