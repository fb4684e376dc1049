import { partialActivated, templateActivated } from '@stanza/contracts';
import { emitEvent, type Outbox, type Transaction } from '@stanza/runtime';
import type { TemplateRow, VersionRow } from './domain/tables.ts';
import type { NewActivation } from './store/activations.ts';

/**
 * Emits the event that a version has become the live one, in the transaction that makes it so.
 * @param template as it was before, locked
 */
export const emitActivation = (
  tx: Transaction,
  outbox: Outbox,
  template: TemplateRow,
  version: VersionRow,
  made: NewActivation,
): Promise<void> => {
  const { organization_id, environment, id, kind, name, current_version_id } = template;
  const envelope = { organization_id, environment, subject: id, created_at: made.created_at.toISOString() };
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
  return emitEvent(
    tx,
    outbox,
    kind === 'partial'
      ? { ...envelope, type: partialActivated.type, data: { partial_id: id, ...data } }
      : { ...envelope, type: templateActivated.type, data: { template_id: id, ...data } },
    template.activation_count > 0,
  );
};
