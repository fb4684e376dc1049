import { notFound, getInputSource as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { noLiveVersion } from '../domain/errors.ts';
import { presentFields } from '../domain/present-data.ts';
import { fieldsOf } from '../store/entity-fields.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Reads what the inputs of a version are derived from; its blocks are known where they are derived. */
export const getInputSource = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input }) =>
    atOneMoment(database, async (tx) => {
      const tenant = new Tenant(input.organization_id, input.environment);
      const template = await findTemplate(tenant, tx, input.template_id);
      if (!template) throw notFound('template');
      const versionId = input.version_id ?? template.current_version_id;
      if (versionId === null) throw noLiveVersion();
      const version = await findVersion(tenant, tx, template.id, versionId);
      if (!version) throw notFound('version');
      const { id: version_id, sample_data, entity_id } = version;
      const fields = entity_id === null ? [] : await fieldsOf(tenant, tx, entity_id);
      const { fallback_text } = template;
      return { version_id, fallback_text, sample_data, entity_fields: presentFields(fields) };
    }),
  );
