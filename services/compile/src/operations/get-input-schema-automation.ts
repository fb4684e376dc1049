import { getInputSchemaAutomation as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { parametersOf } from '../domain/automation-parameters.ts';
import { type InputDependencies, inputSchemaOf } from '../input-schema.ts';

/** Answers the parameters to fill in before an automation runs a template. */
export const getInputSchemaAutomation = (dependencies: InputDependencies) =>
  handle(operation, async ({ input: { params, query }, principal, context }) => {
    const request = { templateId: params.id, versionId: query.version_id, principal, context };
    const { fields } = await inputSchemaOf(dependencies, request);
    return { parameters: parametersOf(fields) };
  });
