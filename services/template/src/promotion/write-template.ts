import { type Actor, CodedError, type PromotedTemplate } from '@stanza/contracts';
import { parseTemplate, partialsIn, requestFormat } from '@stanza/engine';
import { newId } from '@stanza/runtime';
import type { ReadActivationRights } from '../domain/activation-rights.ts';
import { authorsOf, authorsOfSettings, withAuthors } from '../domain/author.ts';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import { beginningOf } from '../domain/new-template.ts';
import type { TemplateRow, VersionRow } from '../domain/tables.ts';
import { makeLive } from '../make-live.ts';
import { appendVersion, insertTemplate } from '../store/authoring.ts';
import { storedTemplates } from '../store/stored.ts';
import { changeTemplate, findTemplate, lockTemplate } from '../store/templates.ts';
import { type Content, counterpartOf, wasReplaced } from './counterpart.ts';
import type { SourceTemplate } from './source.ts';
import type { Work } from './work.ts';

/** What a promotion asks of each template. */
export interface Asked {
  /** Undefined keeps the note of each version. */
  note: string | null | undefined;
  /** Who makes each version live; null leaves live what is. */
  activation: { actor: Actor; readRights: ReadActivationRights } | null;
}

/** What was written of a template itself. */
export type Written = Pick<
  PromotedTemplate,
  'action' | 'version_number' | 'has_new_version' | 'is_activated' | 'activation_left' | 'metadata_left'
> & { template_id: string; version_id: string };

/** Metadata by which people find a template. */
const labelsOf = ({ name, description, type }: TemplateRow) => ({ name, description, type });

/** Metadata that is a part of every message of the live version. */
const settingsOf = ({ user_name, icon_emoji, fallback_text, locale, timezone, strict }: TemplateRow) => ({
  user_name,
  icon_emoji,
  fallback_text,
  locale,
  timezone,
  strict,
});

/** The paths that the content reads: those of the source, unless the partials of the target read others. */
const formatOf = (
  { template, version }: Pick<SourceTemplate, 'template' | 'version'>,
  { blocks }: Content,
): VersionRow['request_format'] => {
  if (partialsIn(blocks).length === 0) return version.request_format;
  const { fallback_text: fallbackText, locale } = template;
  const parsed = parseTemplate(blocks, {
    surface: 'message',
    ...(fallbackText !== null && { fallbackText }),
    ownLocale: locale ?? undefined,
  });
  return requestFormat(parsed.ok ? parsed.program : parsed);
};

const create = async (
  { tenant, tx, allowance, author, at, record }: Work,
  { template: source, version }: SourceTemplate,
  content: Content,
  { note }: Asked,
) => {
  const id = newId();
  const origin = { created_by: author, created_at: at };
  const beginning = beginningOf(id, at);
  const operation_id = newId();
  await storedTemplates.check(tenant, tx, allowance, operation_id);
  const made = await insertTemplate(tenant, tx, {
    key: source.key,
    template: {
      ...origin,
      ...labelsOf(source),
      ...settingsOf(source),
      ...beginning.template,
      settings_authors: withAuthors(authorsOfSettings(source), author),
      operation_id,
    },
    version: {
      ...origin,
      ...content,
      ...beginning.version,
      authors: withAuthors(authorsOf(version), author),
      operation_id: newId(),
      request_format: formatOf({ template: source, version }, content),
      note: note === undefined ? version.note : note,
    },
  });
  const { name, type } = source;
  await record({
    action: 'template.created',
    subject: { kind: 'template', id },
    changes: { name, type, version_id: made.version.id },
  });
  return made;
};

const append = async (
  { tenant, tx, allowance, author, at, record }: Work,
  source: Pick<SourceTemplate, 'template' | 'version'>,
  { content, templateId, note }: { content: Content; templateId: string; note: Asked['note'] },
): Promise<VersionRow> => {
  const { version } = source;
  const appended = await appendVersion(tenant, tx, allowance, {
    ...content,
    id: newId(),
    template_id: templateId,
    operation_id: newId(),
    request_format: formatOf(source, content),
    note: note === undefined ? version.note : note,
    created_by: author,
    authors: withAuthors(authorsOf(version), author),
    created_at: at,
  });
  if (!appended) throw new CodedError('template_not_found');
  await record({
    action: 'template.version_added',
    subject: { kind: 'template', id: templateId },
    changes: { version_id: appended.version.id, version_number: appended.version.version_number },
  });
  return appended.version;
};

/** Writes the metadata that may change. @returns whether it did, and what differs still */
const updateMetadata = async (
  { tenant, tx, author, at, record }: Work,
  there: TemplateRow,
  source: TemplateRow,
  activation: Asked['activation'],
): Promise<{ isChanged: boolean; left: string[] }> => {
  const settings = changesOf(there, settingsOf(source));
  const isFree = activation !== null || there.current_version_id === null;
  const written = authorsOfSettings(source);
  if (activation && there.current_version_id !== null && !isEmpty(settings)) {
    (await activation.readRights()).need(written);
  }
  const changes = { ...changesOf(there, labelsOf(source)), ...(isFree && settings) };
  const left = isFree ? [] : Object.keys(settings);
  if (isEmpty(changes)) return { isChanged: false, left };
  const settings_authors = withAuthors(authorsOfSettings(there), ...written, author);
  await changeTemplate(tenant, tx, there.id, {
    ...changes,
    ...(isFree && !isEmpty(settings) && { settings_authors }),
    updated_at: at,
  });
  await record({
    action: 'template.updated',
    subject: { kind: 'template', id: there.id },
    changes: auditedChanges<TemplateRow>(there, changes),
  });
  return { isChanged: true, left };
};

const makeLiveIfAsked = async (
  { tenant, tx, outbox, record }: Work,
  templateId: string,
  version: VersionRow,
  { activation, note = null }: Asked,
): Promise<boolean> => {
  const template = await findTemplate(tenant, tx, templateId);
  if (!activation || !template || template.current_version_id === version.id) return false;
  const activating = { ...activation, tenant, tx, outbox, record, note, operationId: newId() };
  await makeLive(activating, template, version);
  return true;
};

const archived = (key: string, environment: string): CodedError =>
  new CodedError('invalid_state', {
    message: `The template ${key} of ${environment} is archived; unarchive it before you promote to it.`,
  });

/**
 * Creates a template, or appends a version to the one with its key unless its newest or live version has the content.
 * @throws CodedError `invalid_state` where that one is archived
 */
export const writeTemplate = async (
  work: Work,
  source: SourceTemplate,
  content: Content,
  asked: Asked,
): Promise<Written> => {
  const { tenant, tx } = work;
  const { key } = source.template;
  const there = await counterpartOf(tenant, tx, key, content, (id) => lockTemplate(tenant, tx, id));
  if (!there) {
    const { template, version } = await create(work, source, content, asked);
    return {
      action: 'created',
      template_id: template.id,
      version_id: version.id,
      version_number: version.version_number,
      has_new_version: true,
      is_activated: await makeLiveIfAsked(work, template.id, version, asked),
      activation_left: false,
      metadata_left: [],
    };
  }
  const { template, same } = there;
  if (template.archived_at !== null) throw archived(key, tenant.environment);
  const appending = { content, templateId: template.id, note: asked.note };
  const version = same ?? (await append(work, source, appending));
  const activation_left = asked.activation !== null && wasReplaced(there);
  const activation = activation_left ? null : asked.activation;
  const { isChanged, left } = await updateMetadata(work, template, source.template, activation);
  const is_activated = await makeLiveIfAsked(work, template.id, version, { ...asked, activation });
  return {
    action: !same || isChanged || is_activated ? 'updated' : 'unchanged',
    template_id: template.id,
    version_id: version.id,
    version_number: version.version_number,
    has_new_version: !same,
    is_activated,
    activation_left,
    metadata_left: left,
  };
};
