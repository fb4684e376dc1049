import { notFound, getModalSource as operation } from '@stanza/contracts';
import { handle, Tenant, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { modalVersionNotFound } from '../domain/errors.ts';
import type { ModalRow, ModalVersionRow } from '../domain/modal-tables.ts';
import { viewsOf } from '../domain/modal-views.ts';
import { activeVersionOf, findModalVersion, newestModalVersion } from '../store/modal-versions.ts';
import { findModal } from '../store/modals.ts';
import { atOneMoment } from '../store/snapshot.ts';

interface Asked {
  modal: ModalRow;
  version_id: string | undefined;
  drafts: boolean;
}

const versionOf = async (
  tenant: Tenant,
  tx: Transaction,
  { modal, version_id, drafts }: Asked,
): Promise<ModalVersionRow> => {
  if (version_id !== undefined) {
    const named = await findModalVersion(tenant, tx, modal.id, version_id);
    if (!named) throw modalVersionNotFound();
    return named;
  }
  const active = await activeVersionOf(tenant, tx, modal);
  const version = active ?? (drafts ? await newestModalVersion(tenant, tx, modal.id) : null);
  if (!version) throw modalVersionNotFound('The modal has no active version; activate one first.');
  return version;
};

/** Reads the source of a modal's views. */
export const getModalSource = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input }) => {
    const { organization_id, environment, modal_id, version_id, drafts } = input;
    const tenant = new Tenant(organization_id, environment);
    return atOneMoment(database, async (tx) => {
      const modal = await findModal(tenant, tx, modal_id);
      if (!modal) throw notFound('modal');
      const version = await versionOf(tenant, tx, { modal, version_id, drafts });
      return {
        modal_name: modal.name,
        version_id: version.id,
        version_number: version.version_number,
        views: viewsOf(modal, version.blocks),
        sample_data: version.sample_data,
        placeholder_mapping: version.placeholder_mapping,
      };
    });
  });
