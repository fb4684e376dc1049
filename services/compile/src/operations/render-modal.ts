import { CodedError, renderModal as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { wantedBy } from '../domain/compilation.ts';
import { type ModalDependencies, makeStep, stepFacts, stepSource } from '../modal-source.ts';

const noBlocks = 'Every block of the modal is empty: there is nothing to open.';

/** Makes the view that a click opens, or the next one. */
export const renderModal = (dependencies: ModalDependencies) =>
  handle(operation, async ({ input, context }) => {
    const { organization_id, environment, modal_id, version_id, step, data, locale, timezone, people } =
      input;
    const asked = { organization_id, environment, modal_id, version_id, drafts: false };
    const found = await stepSource(dependencies.rpc, context, asked, step);
    const made = await makeStep(dependencies, found, { data, locale, timezone, people });
    // The platform would refuse it too, and not say why.
    if (made.view.blocks.length === 0) throw new CodedError('no_blocks_to_send', { message: noBlocks });
    const { modal_name } = found.source;
    return { modal_name, ...stepFacts(found, step, made), ...wantedBy(made) };
  });
