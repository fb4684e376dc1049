import { runService } from '@stanza/runtime';
import { charging } from './charges.ts';
import { settings } from './config.ts';
import { liveVersions } from './live-versions.ts';
import { checkBlocks } from './operations/check-blocks.ts';
import { checkViews } from './operations/check-views.ts';
import { compileTemplate } from './operations/compile-template.ts';
import { getBlockSchema } from './operations/get-block-schema.ts';
import { getInputSchema } from './operations/get-input-schema.ts';
import { getInputSchemaAutomation } from './operations/get-input-schema-automation.ts';
import { previewModal } from './operations/preview-modal.ts';
import { previewTemplate } from './operations/preview-template.ts';
import { renderInteraction } from './operations/render-interaction.ts';
import { renderModal } from './operations/render-modal.ts';
import { renderTemplate } from './operations/render-template.ts';
import { validateTemplate } from './operations/validate-template.ts';
import { Programs } from './programs.ts';
import { rendering } from './rendering.ts';

await runService({
  name: 'compile',
  settings,
  database: false,
  async start({ settings, rpc, metrics, clock }) {
    const limits = {
      entries: settings.STANZA_PROGRAMS,
      bytes: settings.STANZA_PROGRAMS_MB * 1_000_000,
    };
    const programs = new Programs(rpc, limits, metrics);
    const liveVersion = liveVersions(rpc, metrics);
    const render = rendering({ liveVersion, programs, clock });
    return {
      operations: [
        validateTemplate({ clock }),
        getBlockSchema(),
        compileTemplate({ render, charge: charging(rpc, metrics) }),
        renderTemplate({ render }),
        renderInteraction({ liveVersion, clock }),
        previewTemplate({ rpc, programs, clock }),
        checkBlocks({ clock }),
        checkViews({ clock }),
        renderModal({ rpc, clock }),
        previewModal({ rpc, clock }),
        getInputSchema({ rpc, programs }),
        getInputSchemaAutomation({ rpc, programs }),
      ],
    };
  },
});
