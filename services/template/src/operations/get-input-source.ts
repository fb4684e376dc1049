import { getInputSource as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentFields } from '../domain/present-data.ts';
import { fieldsOf } from '../store/entity-fields.ts';
import { requestedVersion } from '../store/requested-version.ts';
import { atOneMoment } from '../store/snapshot.ts';

/** Reads the source for deriving a version's inputs; the compile service has its blocks. */
export const getInputSource = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input }) =>
    atOneMoment(database, async (tx) => {
      const tenant = new Tenant(input.organization_id, input.environment);
      const { template, version } = await requestedVersion(tenant, tx, input);
      const { id: version_id, sample_data, entity_id } = version;
      const fields = entity_id === null ? [] : await fieldsOf(tenant, tx, entity_id);
      const { fallback_text, locale } = template;
      return { version_id, fallback_text, locale, sample_data, entity_fields: presentFields(fields) };
    }),
  );
