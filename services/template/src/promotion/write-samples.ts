import type { PromotedTemplate } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import type { SampleDataRow } from '../domain/data-tables.ts';
import { insertSampleData, sampleDataOf, writeSampleData } from '../store/sample-data.ts';
import { storedSampleData } from '../store/stored.ts';
import { originOf, type Work } from './work.ts';

/** Sample data has no key: that of a template is told apart by name, and by order among those of one name. */
const byName = (samples: readonly SampleDataRow[]): Map<string, SampleDataRow> => {
  const counts = new Map<string, number>();
  return new Map(
    samples.map((sample) => {
      const count = (counts.get(sample.name) ?? 0) + 1;
      counts.set(sample.name, count);
      return [JSON.stringify([sample.name, count]), sample];
    }),
  );
};

/**
 * Creates the sample data of a template, and makes that of the same name the same; what only the target has stays.
 * @param entityIds the entities of the target by the id of their source
 */
export const writeSamples = async (
  work: Work,
  templateId: string,
  samples: readonly SampleDataRow[],
  entityIds: ReadonlyMap<string, string>,
): Promise<PromotedTemplate['samples']> => {
  const { tenant, tx } = work;
  const told = { created: 0, updated: 0, unchanged: 0 };
  const there = byName(await sampleDataOf(tenant, tx, templateId));
  for (const [name, sample] of byName(samples)) {
    const entity_id = sample.entity_id === null ? null : (entityIds.get(sample.entity_id) ?? null);
    const wanted = { description: sample.description, data: sample.data, entity_id };
    const now = there.get(name);
    const changes = now ? changesOf(now, wanted) : wanted;
    if (isEmpty(changes)) {
      told.unchanged += 1;
      continue;
    }
    const id = now?.id ?? newId();
    if (now) await writeSampleData(tenant, tx, { ...now, ...wanted, updated_at: work.at });
    else {
      const made = { ...originOf(work), ...wanted, id, name: sample.name, template_id: templateId };
      await storedSampleData.check(tenant, tx, work.allowance, made.operation_id);
      await insertSampleData(tenant, tx, made);
    }
    told[now ? 'updated' : 'created'] += 1;
    await work.record({
      action: now ? 'sample_data.updated' : 'sample_data.created',
      subject: { kind: 'sample_data', id },
      changes: now ? auditedChanges(now, changes) : { name: sample.name, template_id: templateId, entity_id },
    });
  }
  return told;
};
