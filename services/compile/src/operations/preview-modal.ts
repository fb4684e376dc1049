import { previewModal as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { type ModalDependencies, makeStep, stepFacts, stepSource } from '../modal-source.ts';

/** Makes a view of a modal like a click does, of any version, and opens nothing. */
export const previewModal = (dependencies: ModalDependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal }) => {
    const { organization_id, environment } = principal;
    const { version_id, step, strict, locale, timezone } = body;
    const asked = { organization_id, environment, modal_id: params.id, version_id, drafts: true };
    const found = await stepSource(dependencies.rpc, context, asked, step);
    const { modal_name: name, sample_data } = found.source;
    const data = body.data ?? sample_data ?? {};
    const made = await makeStep(dependencies, found, { data, strict, locale, timezone });
    return {
      success: true as const,
      modal: { id: params.id.toLowerCase(), name },
      ...stepFacts(found, step, made),
      chat_truncation: { fields_truncated: made.fieldsTruncated },
    };
  });
