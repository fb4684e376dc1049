import { renderTemplate as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import { wantedBy } from '../domain/compilation.ts';
import type { Render } from '../rendering.ts';

/** Compiles the live version of a template for a send, which reserves and settles its own credits. */
export const renderTemplate = ({ render }: { render: Render }) =>
  handle(operation, async ({ input, context }) => {
    const { organization_id, environment, template_id, live_at: liveAt, ...inputs } = input;
    const tenant = new Tenant(organization_id, environment);
    const { version, message } = await render({
      tenant,
      templateId: template_id,
      liveAt,
      context,
      ...inputs,
    });
    return {
      template_name: version.template_name,
      version_id: version.version_id,
      version_number: version.version_number,
      user_name: version.user_name,
      icon_emoji: version.icon_emoji,
      blocks: message.blocks,
      text: message.text,
      metadata: message.metadata,
      warnings: message.warnings,
      fields_truncated: message.fieldsTruncated,
      ...wantedBy(message),
      ...(message.leftOut && { left_out: message.leftOut }),
    };
  });
