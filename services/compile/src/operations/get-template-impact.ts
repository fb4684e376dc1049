import { getTemplateImpact as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { type ImpactDependencies, measure } from '../impact.ts';

/** Tells what making a version live, or blocks, would change and break. */
export const getTemplateImpact = (dependencies: ImpactDependencies) =>
  handle(operation, ({ input: { params, body }, context, tenant }) =>
    measure(dependencies, {
      tenant,
      context,
      templateId: params.id,
      versionId: body.version_id,
      blocks: body.blocks,
    }),
  );
