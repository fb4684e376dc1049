import { partialActivated, templateActivated } from '@stanza/contracts';
import { type Outbox, type Transaction, tellEvent } from '@stanza/runtime';
import type { TemplateRow, VersionRow } from './domain/tables.ts';
import type { NewActivation } from './store/activations.ts';

/**
 * Tells subscribers that a version has become the live one, in the transaction that makes it so.
 * @param template as it was before, locked
 */
export const tellActivation = (
  tx: Transaction,
  outbox: Outbox,
  template: TemplateRow,
  version: VersionRow,
  made: NewActivation,
): Promise<void> => {
  const { organization_id, environment, id, kind, name, current_version_id } = template;
  const told = { organization_id, environment, subject: id, created_at: made.created_at.toISOString() };
  const data = {
    name,
    version_id: version.id,
    version_number: version.version_number,
    ...(current_version_id !== null && { previous_version_id: current_version_id }),
    activation_id: made.id,
    activation_number: template.activation_count + 1,
    activated_by: made.activated_by,
    ...(made.note !== null && { note: made.note }),
  };
  return tellEvent(
    tx,
    outbox,
    kind === 'partial'
      ? { ...told, type: partialActivated.type, data: { partial_id: id, ...data } }
      : { ...told, type: templateActivated.type, data: { template_id: id, ...data } },
    template.activation_count > 0,
  );
};
