import { renderModal as operation } from '@stanza/contracts';
import { type Clock, handle, type RpcClient } from '@stanza/runtime';
import { viewOrThrow } from '../domain/views.ts';
import { stepFacts, stepSource } from '../modal-source.ts';

/** Makes the view that a click opens, or the next one. */
export const renderModal = ({ rpc, clock }: { rpc: RpcClient; clock: Clock }) =>
  handle(operation, async ({ input, context }) => {
    const { organization_id, environment, modal_id, version_id, step, data, locale, timezone } = input;
    const asked = { organization_id, environment, modal_id, version_id, drafts: false };
    const found = await stepSource(rpc, context, asked, step);
    const mapping = found.source.placeholder_mapping;
    const made = viewOrThrow(found.view, { data, mapping, locale, timezone }, clock.now());
    return { modal_name: found.source.modal_name, ...stepFacts(found, step, made) };
  });
