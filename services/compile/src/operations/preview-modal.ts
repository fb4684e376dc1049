import { previewModal as operation } from '@stanza/contracts';
import { type Clock, handle, type RpcClient } from '@stanza/runtime';
import { viewOrThrow } from '../domain/views.ts';
import { stepFacts, stepSource } from '../modal-source.ts';

/** Makes a view of a modal like a click does, of any version, and opens nothing. */
export const previewModal = ({ rpc, clock }: { rpc: RpcClient; clock: Clock }) =>
  handle(operation, async ({ input: { params, body }, context, principal }) => {
    const { organization_id, environment } = principal;
    const { version_id, step, strict, locale, timezone } = body;
    const asked = { organization_id, environment, modal_id: params.id, version_id, drafts: true };
    const found = await stepSource(rpc, context, asked, step);
    const { modal_name: name, sample_data, placeholder_mapping: mapping } = found.source;
    const data = body.data ?? sample_data ?? {};
    const made = viewOrThrow(found.view, { data, mapping, strict, locale, timezone }, clock.now());
    return {
      success: true as const,
      modal: { id: params.id.toLowerCase(), name },
      ...stepFacts(found, step, made),
      chat_truncation: { fields_truncated: made.fieldsTruncated },
    };
  });
