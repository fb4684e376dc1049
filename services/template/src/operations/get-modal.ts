import { notFound, getModal as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentModal } from '../domain/present-modal.ts';
import { modalKeys } from '../store/keys.ts';
import { activeVersionOf } from '../store/modal-versions.ts';
import { findModal } from '../store/modals.ts';
import { atOneMoment } from '../store/snapshot.ts';

/** Reads a modal and its active version. */
export const getModal = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const modal = await findModal(tenant, tx, params.id);
      if (!modal) throw notFound('modal');
      const keyed = await modalKeys.withKey(tenant, tx, modal);
      return presentModal(keyed, await activeVersionOf(tenant, tx, modal));
    }),
  );
