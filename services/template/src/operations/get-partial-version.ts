import { notFound, getPartialVersion as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentPartialVersion } from '../domain/present-template.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Reads one version of a partial. */
export const getPartialVersion = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const partial = await findTemplate(tenant, tx, params.id, 'partial');
      if (!partial) throw notFound('partial');
      const version = await findVersion(tenant, tx, partial.id, params.version_id);
      if (!version) throw notFound('version');
      return presentPartialVersion(version, partial.current_version_id);
    }),
  );
