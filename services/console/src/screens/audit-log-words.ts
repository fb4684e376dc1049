import type { AuditRecord } from '@stanza/contracts';
import { auditActions } from '@stanza/contracts/audit-actions';
import { isObject } from '../json.ts';
import type { Screen } from '../shell/screens.ts';

const kindNames: Readonly<Record<string, string>> = {
  api_key: 'key',
  chat_connection: 'connection',
  scheduled_message: 'schedule',
  template_draft: 'draft',
  template_proposal: 'proposal',
  sample_data: 'saved data',
  idempotent_request: 'repeated request',
};

/** A kind of subject as people call it. */
export const kindName = (kind: string): string => kindNames[kind] ?? kind.replaceAll('_', ' ');

const deeds: Readonly<Record<string, string>> = {
  activated: 'made live',
  flushed: 'sent now',
  run: 'run now',
  put: 'connected',
};

/** What was done, as in “template: version added”. */
export const actionName = (action: string): string => {
  const [kind = '', what = ''] = action.split('.');
  return what === '' ? kindName(kind) : `${kindName(kind)}: ${deeds[what] ?? what.replaceAll('_', ' ')}`;
};

/** What was done and, where it is about a version, its number: going live and going back read alike without. */
export const deedOf = ({ action, changes }: Pick<AuditRecord, 'action' | 'changes'>): string => {
  const said = changes.version_number;
  const number = isObject(said) ? said.to : said;
  if (typeof number !== 'number') return actionName(action);
  const [kind = '', deed = ''] = actionName(action).split(': ');
  return `${kind}: version ${number} ${deed.replace('version ', '')}`;
};

/** The actions of a filter; those of one kind where one is chosen. */
export const actionOptions = (kind: string | undefined): (readonly [value: string, name: string])[] =>
  Object.entries(auditActions)
    .filter(([it]) => kind === undefined || it === kind)
    .flatMap(([it, whats]) => whats.map((what) => [`${it}.${what}`, actionName(`${it}.${what}`)] as const));

const screenOf: Readonly<Record<string, readonly [screen: Screen, hasItem: boolean]>> = {
  template: ['templates', true],
  template_draft: ['templates', true],
  modal: ['modals', true],
  message: ['messages', true],
  queue: ['queues', true],
  destination: ['destinations', true],
  scheduled_message: ['schedules', true],
  event_subscription: ['events', false],
  chat_connection: ['connections', false],
  test_targets: ['connections', false],
  api_key: ['keys', false],
  user: ['people', false],
  member: ['people', false],
  invitation: ['people', false],
  organization: ['settings', false],
  credits: ['usage', false],
};

/** What a batch or a proposal belongs to, which has no screen of its own. */
const ownerOf = ({
  subject: { kind },
  changes,
}: Pick<AuditRecord, 'subject' | 'changes'>): { screen: Screen; item: string } | undefined => {
  const [screen, id] =
    kind === 'batch'
      ? (['queues', changes.queue_id] as const)
      : kind === 'template_proposal'
        ? (['templates', changes.template_id] as const)
        : [];
  return screen !== undefined && typeof id === 'string' ? { screen, item: id } : undefined;
};

/** Where people see a subject: a screen, and the thing on it; nothing for what is gone or has no screen. */
export const placeOf = ({
  subject,
  action,
  changes,
}: Pick<AuditRecord, 'subject' | 'action' | 'changes'>): { screen: Screen; item?: string } | undefined => {
  const owner = ownerOf({ subject, changes });
  if (owner !== undefined) return owner;
  const [screen, hasItem] = screenOf[subject.kind] ?? [];
  if (screen === undefined || (hasItem && subject.kind !== 'message' && action.endsWith('.deleted'))) {
    return undefined;
  }
  return hasItem ? { screen, item: subject.id } : { screen };
};

/** The name of a subject: as it is called now, else as the entry says; undefined where neither is known. */
export const subjectName = (
  { subject, changes }: Pick<AuditRecord, 'subject' | 'changes'>,
  names: ReadonlyMap<string, string>,
): string | undefined => {
  const known = names.get(subject.id);
  if (known !== undefined) return known;
  const owner = ownerOf({ subject, changes })?.item ?? changes.template_id;
  const other = typeof owner === 'string' ? names.get(owner) : undefined;
  if (other !== undefined) return subject.kind === 'batch' ? `of ${other}` : other;
  const said = [changes.name, changes.email].find((it) => typeof it === 'string' && it !== '');
  return typeof said === 'string' ? said : undefined;
};

/** Names of what a page of the log is about, where another entry of it says one, such as that of its deletion. */
export const namesIn = (records: readonly Pick<AuditRecord, 'subject' | 'changes'>[]): [string, string][] =>
  records.flatMap(({ subject, changes: { name } }): [string, string][] => {
    const said = isObject(name) ? name.to : name;
    return typeof said === 'string' && said !== '' ? [[subject.id, said]] : [];
  });

/** Facts of a change as people read them: what was before stands first. */
export const changeFacts = (changes: AuditRecord['changes']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      isObject(value) && 'from' in value && 'to' in value ? { before: value.from, after: value.to } : value,
    ]),
  );

/** Who made a change: a person or a key by name where that is known; the end of an id tells others apart. */
export const actorName = (
  { type, id, user_id, name }: AuditRecord['actor'],
  names: ReadonlyMap<string, string>,
): string => {
  if (type === 'system') return name === undefined ? 'the service' : `${name}, an operator`;
  const person = user_id === undefined ? undefined : names.get(user_id);
  if (type === 'session') return person ?? `a person, ${id}`;
  const key = names.get(id);
  const shown = key === undefined ? `a key (${id.slice(-8)})` : `the key ${key}`;
  return person === undefined ? shown : `${shown} of ${person}`;
};
