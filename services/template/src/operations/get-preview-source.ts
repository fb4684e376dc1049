import { notFound, getPreviewSource as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { noLiveVersion } from '../domain/errors.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Reads what a preview of a version is made with. Looking at an archived template does no harm. */
export const getPreviewSource = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input }) =>
    atOneMoment(database, async (tx) => {
      const tenant = new Tenant(input.organization_id, input.environment);
      const template = await findTemplate(tenant, tx, input.template_id);
      if (!template) throw notFound('template');
      const versionId = input.version_id ?? template.current_version_id;
      if (versionId === null) throw noLiveVersion();
      const version = await findVersion(tenant, tx, template.id, versionId);
      if (!version) throw notFound('version');
      const { name: template_name, fallback_text, locale, timezone, strict } = template;
      const { id: version_id, version_number, sample_data } = version;
      const defaults = { fallback_text, locale, timezone, strict };
      return { template_name, version_id, version_number, sample_data, ...defaults };
    }),
  );
