import { runService } from '@stanza/runtime';
import { settings } from './config.ts';
import { activateTemplateVersion } from './operations/activate-template-version.ts';
import { appendTemplateVersion } from './operations/append-template-version.ts';
import { createTemplate } from './operations/create-template.ts';
import { getTemplate } from './operations/get-template.ts';
import { getTemplateVersion } from './operations/get-template-version.ts';
import { getVersionContent } from './operations/get-version-content.ts';
import { listTemplateActivations } from './operations/list-template-activations.ts';
import { listTemplateVersions } from './operations/list-template-versions.ts';
import { listTemplates } from './operations/list-templates.ts';
import { resolveLiveVersions } from './operations/resolve-live-versions.ts';
import { entities } from './store/entities.ts';

await runService({
  name: 'template',
  settings,
  entities,
  async start(kit) {
    return {
      operations: [
        createTemplate(kit),
        listTemplates(kit),
        getTemplate(kit),
        appendTemplateVersion(kit),
        listTemplateVersions(kit),
        getTemplateVersion(kit),
        activateTemplateVersion(kit),
        listTemplateActivations(kit),
        resolveLiveVersions(kit),
        getVersionContent(kit),
      ],
    };
  },
});
