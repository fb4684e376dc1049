import { notFound, getImpactSource as operation } from '@stanza/contracts';
import { handle, Tenant, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentFields } from '../domain/present-data.ts';
import type { VersionRow } from '../domain/tables.ts';
import { fieldsOf } from '../store/entity-fields.ts';
import { countSamples, samplesForImpact } from '../store/sample-data-for-impact.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

const sourceOf = async (tenant: Tenant, tx: Transaction, version: VersionRow) => {
  const { id: version_id, version_number, sample_data, created_by, entity_id } = version;
  const fields = entity_id === null ? [] : await fieldsOf(tenant, tx, entity_id);
  return { version_id, version_number, sample_data, created_by, entity_fields: presentFields(fields) };
};

/** Reads from one snapshot what the impact of a version is derived from. */
export const getImpactSource = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input }) =>
    atOneMoment(database, async (tx) => {
      const tenant = new Tenant(input.organization_id, input.environment);
      const template = await findTemplate(tenant, tx, input.template_id);
      if (!template) throw notFound('template');
      const read = async (versionId: string | null | undefined) => {
        if (!versionId) return null;
        const version = await findVersion(tenant, tx, template.id, versionId);
        if (!version) throw notFound('version');
        return sourceOf(tenant, tx, version);
      };
      const samples = await samplesForImpact(tenant, tx, template.id);
      const total = await countSamples(tenant, tx, template.id);
      const { fallback_text, locale, timezone, strict } = template;
      return {
        fallback_text,
        locale,
        timezone,
        strict,
        live: await read(template.current_version_id),
        candidate: await read(input.version_id),
        samples: {
          items: samples.map(({ created_by: owner, ...sample }) => ({ ...sample, owner })),
          left_out: total - samples.length,
        },
      };
    }),
  );
