import { measureImpact as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import { type ImpactDependencies, measure } from '../impact.ts';

/** Tells the service that activates a version what it would break. */
export const measureImpact = (dependencies: ImpactDependencies) =>
  handle(operation, ({ input, context }) =>
    measure(dependencies, {
      tenant: new Tenant(input.organization_id, input.environment),
      context,
      templateId: input.template_id,
      versionId: input.version_id,
      blocks: input.blocks,
      settings: input.settings,
    }),
  );
