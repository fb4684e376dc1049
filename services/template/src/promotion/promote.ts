import type { Promotion } from '@stanza/contracts';
import { lockStored } from '@stanza/runtime';
import { lockPromotions } from '../store/promotions.ts';
import { withinStoredBytes } from '../store/stored-bytes.ts';
import type { Mapped } from './map-references.ts';
import type { Source } from './source.ts';
import type { Work } from './work.ts';
import { writeEntity } from './write-entity.ts';
import { writeSamples } from './write-samples.ts';
import { type Asked, writeTemplate } from './write-template.ts';

/** What is promoted, and what is known of it before the transaction begins. */
export interface Prepared {
  source: Source;
  mapped: Mapped;
  /** By the key of the template: stored data that breaks when its version is made live. */
  breaks: ReadonlyMap<string, string[]>;
}

const write = async (work: Work, { source, mapped, breaks }: Prepared, asked: Asked): Promise<Promotion> => {
  const entities: Promotion['entities'] = [];
  const entityIds = new Map<string, string>();
  for (const one of source.entities) {
    const written = await writeEntity(work, one);
    entities.push(written);
    if (written.entity_id !== null) entityIds.set(one.entity.id, written.entity_id);
  }
  const templates: Promotion['templates'] = [];
  for (const one of source.templates) {
    work.checkTime();
    const { template, version, samples } = one;
    const content = {
      blocks: mapped.blocks.get(template.key) ?? version.blocks,
      sample_data: version.sample_data,
      entity_id: version.entity_id === null ? null : (entityIds.get(version.entity_id) ?? null),
    };
    // Only a dry run comes here with one: it names what is missing, and does not fail for it.
    const isBlocked = mapped.unmapped.some((it) => it.is_blocking && it.template_key === template.key);
    const written = await writeTemplate(
      work,
      one,
      content,
      isBlocked ? { ...asked, activation: null } : asked,
    );
    templates.push({
      key: template.key,
      ...written,
      samples: await writeSamples(work, written.template_id, samples, entityIds),
      breaks: breaks.get(template.key) ?? [],
      source: {
        template_id: template.id,
        version_id: version.id,
        version_number: version.version_number,
      },
    });
  }
  return {
    from: work.from,
    to: work.tenant.environment,
    dry_run: false,
    changed:
      entities.some(({ action }) => action !== 'unchanged') ||
      templates.some(
        ({ action, samples }) => action !== 'unchanged' || samples.created + samples.updated > 0,
      ),
    templates,
    entities,
    unmapped: mapped.unmapped,
  };
};

/**
 * Writes a promotion in one transaction: all of it, or nothing. Of two promotions to an environment the second one sees
 * what the first has written.
 */
export const writePromotion = async (work: Work, prepared: Prepared, asked: Asked): Promise<Promotion> => {
  await lockPromotions(work.tenant, work.tx);
  await lockStored(work.tenant, work.tx);
  return withinStoredBytes(work.tenant, work.tx, work.allowance, () => write(work, prepared, asked));
};

/** What a dry run tells: ids of what it would create exist nowhere. */
export const asDryRun = (promotion: Promotion): Promotion => ({
  ...promotion,
  dry_run: true,
  templates: promotion.templates.map((it) => ({
    ...it,
    template_id: it.action === 'created' ? null : it.template_id,
    version_id: it.has_new_version ? null : it.version_id,
  })),
  entities: promotion.entities.map((it) => ({
    ...it,
    entity_id: it.action === 'created' ? null : it.entity_id,
  })),
});
