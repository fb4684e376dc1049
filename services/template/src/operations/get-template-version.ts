import { notFound, getTemplateVersion as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentVersion } from '../domain/present-template.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Reads one version of a template. */
export const getTemplateVersion = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const version = await findVersion(tenant, tx, template.id, params.version_id);
      if (!version) throw notFound('version');
      return presentVersion(version, template.current_version_id);
    }),
  );
