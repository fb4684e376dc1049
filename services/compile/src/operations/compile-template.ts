import { compileTemplate as operation } from '@stanza/contracts';
import { handle, namedTemplateId, type RpcClient } from '@stanza/runtime';
import type { Charge } from '../charges.ts';
import type { Render } from '../rendering.ts';

/** What compiling works with. */
export interface CompileDependencies {
  render: Render;
  charge: Charge;
  rpc: RpcClient;
}

/** Compiles the live version of a template, and charges for it once compiling has succeeded. */
export const compileTemplate = ({ render, charge, rpc }: CompileDependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const { data, strict, locale, timezone } = body;
    const templateId = await namedTemplateId({ rpc, context, tenant }, body);
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
