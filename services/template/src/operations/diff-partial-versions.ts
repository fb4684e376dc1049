import { notFound, diffPartialVersions as operation } from '@stanza/contracts';
import { diffBlocks } from '@stanza/engine/diff';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Compares two versions of a partial, which are immutable. */
export const diffPartialVersions = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params, query }, tenant }) => {
    const partial = await findTemplate(tenant, database, params.id, 'partial');
    if (!partial) throw notFound('partial');
    const version = await findVersion(tenant, database, partial.id, params.version_id);
    const before = await findVersion(tenant, database, partial.id, query.against);
    if (!version || !before) throw notFound('version');
    return {
      partial_id: partial.id,
      version_id: version.id,
      version_number: version.version_number,
      against: { version_id: before.id, version_number: before.version_number },
      ...diffBlocks(before.blocks, version.blocks),
    };
  });
