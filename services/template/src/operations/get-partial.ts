import { notFound, getPartial as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentPartial, presentPartialVersion } from '../domain/present-template.ts';
import { templateKeys } from '../store/keys.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Reads a partial and its live version. */
export const getPartial = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const partial = await findTemplate(tenant, tx, params.id, 'partial');
      if (!partial) throw notFound('partial');
      const { id, current_version_id: liveId } = partial;
      const live = liveId === null ? null : await findVersion(tenant, tx, id, liveId);
      const keyed = await templateKeys.withKey(tenant, tx, partial);
      return { ...presentPartial(keyed), current_version: live && presentPartialVersion(live, liveId) };
    }),
  );
