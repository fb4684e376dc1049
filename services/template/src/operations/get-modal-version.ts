import { notFound, getModalVersion as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { modalVersionNotFound } from '../domain/errors.ts';
import { presentModalVersion } from '../domain/present-modal.ts';
import { findModalVersion } from '../store/modal-versions.ts';
import { findModal } from '../store/modals.ts';
import { atOneMoment } from '../store/snapshot.ts';

/** Reads one version of a modal. */
export const getModalVersion = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const modal = await findModal(tenant, tx, params.id);
      if (!modal) throw notFound('modal');
      const version = await findModalVersion(tenant, tx, modal.id, params.version_id);
      if (!version) throw modalVersionNotFound();
      return presentModalVersion(version);
    }),
  );
