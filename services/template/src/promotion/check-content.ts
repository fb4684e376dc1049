import type { CallContext, Tenant } from '@stanza/runtime';
import { checkedBlocks } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivationRights } from '../domain/activation-rights.ts';
import { changesOf, isEmpty } from '../domain/changes.ts';
import { type AcceptBreaks, breaksOf, isGuarded, type MessageSettings } from '../guard-activation.ts';
import { entityKeys } from '../store/keys.ts';
import { type Content, type Counterpart, counterpartOf, isLive, wasReplaced } from './counterpart.ts';
import type { Mapped } from './map-references.ts';
import type { Source, SourceTemplate } from './source.ts';

/** What is checked, and for what. */
export interface Candidates {
  from: Tenant;
  to: Tenant;
  source: Source;
  mapped: Mapped;
  /** What the caller may make live; null where the promotion makes nothing live. */
  rights: ActivationRights | null;
  accept: AcceptBreaks;
  /** A dry run tells what breaks, whether or not a policy asks. */
  isDry: boolean;
}

/** What a version would hold, as far as its entity is there already. */
const contentOf = (
  { mapped }: Candidates,
  { template, version }: SourceTemplate,
  entityIds: ReadonlyMap<string, string | null>,
): Content => ({
  blocks: mapped.blocks.get(template.key) ?? version.blocks,
  sample_data: version.sample_data,
  entity_id: version.entity_id === null ? null : (entityIds.get(version.entity_id) ?? null),
});

/** A promotion that activates writes the settings of the source along with the version. */
const settingsOf = ({ fallback_text, locale, timezone, strict }: MessageSettings): MessageSettings => ({
  fallback_text,
  locale,
  timezone,
  strict,
});

/** Whether messages are made as before, so that nothing can break. */
const staysAsItIs = (there: Counterpart, settings: MessageSettings): boolean =>
  wasReplaced(there) || (isLive(there) && isEmpty(changesOf(there.template, settings)));

/**
 * Compiles what would become a new version or be made live, and measures what would break where it were made live with
 * the settings of the source. Data is stored for templates that are there alone.
 * @returns lines about data that breaks, by the key of the template
 * @throws CodedError `compilation_failed`
 */
export const checkContent = async (
  { database, rpc }: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  candidates: Candidates,
): Promise<Map<string, string[]>> => {
  const { from, to, source, rights, accept, isDry } = candidates;
  const isMeasured = rights !== null && (isDry ? accept !== true : isGuarded(rights, accept));
  const entities = source.entities.map(({ entity }) => entity.id);
  const matches = await entityKeys.matches(from, database, to.environment, entities);
  const entityIds = new Map(matches.map(({ id, match }) => [id, match]));
  const breaks = new Map<string, string[]>();
  for (const one of source.templates) {
    const { key } = one.template;
    const content = contentOf(candidates, one, entityIds);
    const there = await counterpartOf(to, database, key, content);
    const settings = settingsOf(one.template);
    const isMadeLive = rights !== null && !(there && staysAsItIs(there, settings));
    if (!there?.same || isMadeLive) {
      // Of a version that is there, it was judged when that was saved.
      const sample_data = there?.same ? undefined : (content.sample_data ?? undefined);
      await checkedBlocks(rpc, context, { blocks: content.blocks, sample_data, template: one.template });
    }
    if (!isMeasured || !there || !isMadeLive) continue;
    const candidate = { template_id: there.template.id, blocks: content.blocks, settings };
    const lines = await breaksOf(rpc, context, to, candidate);
    if (lines.length > 0) breaks.set(key, lines);
  }
  return breaks;
};
