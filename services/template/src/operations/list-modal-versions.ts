import {
  CodedError,
  cursorAfter,
  limits,
  notFound,
  numberedPlace,
  listModalVersions as operation,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentModalVersionSummary } from '../domain/present-modal.ts';
import { bytesOfModalVersions, pageOfModalVersions } from '../store/modal-versions.ts';
import { findModal } from '../store/modals.ts';
import { atOneMoment } from '../store/snapshot.ts';

const needsToFit = (bytes: number): void => {
  if (bytes <= limits.pageBytes) return;
  throw new CodedError('invalid_request', {
    message: `These versions have ${bytes} bytes, more than one answer can hold: use a smaller \`limit\`.`,
  });
};

/** Lists the versions of a modal with their blocks, newest first. */
export const listModalVersions = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const modal = await findModal(tenant, tx, params.id);
      if (!modal) throw notFound('modal');
      needsToFit(await bytesOfModalVersions(tenant, tx, modal.id, query));
      const page = await pageOfModalVersions(tenant, tx, modal.id, query);
      const { offset, limit } = query;
      return {
        data: page.items.map(presentModalVersionSummary),
        pagination: { offset, limit, total: page.total },
        next_cursor: cursorAfter(page, offset, (it) => numberedPlace(it.version_number, it.id)),
      };
    }),
  );
