import { compileTemplate as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Charge } from '../charges.ts';
import type { Render } from '../rendering.ts';

/** Compiles the live version of a template, and charges for it when nothing can go wrong any more. */
export const compileTemplate = ({ render, charge }: { render: Render; charge: Charge }) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const { template_id, data, strict, locale, timezone } = body;
    // As it was made, if it came in upper case.
    const templateId = template_id.toLowerCase();
    const { version, message } = await render({
      tenant,
      templateId,
      context,
      data,
      strict,
      locale,
      timezone,
    });
    const { creditLogId, remainingCredits } = await charge({ templateId, principal, context });
    return {
      success: true as const,
      template: { id: templateId, name: version.template_name },
      version_id: version.version_id,
      version_number: version.version_number,
      blocks: message.blocks,
      text: message.text,
      metadata: message.metadata,
      warnings: message.warnings,
      chat_truncation: { fields_truncated: message.fieldsTruncated },
      credit_log_id: creditLogId,
      remaining_credits: remainingCredits,
    };
  });
