import type { AuditRecord } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import type { Place } from '../api/request.ts';
import { useActing } from '../api/session-context.ts';
import { useMay } from '../shell/allowed.tsx';
import {
  useDestinations,
  useElsewhere,
  useKeys,
  useMembers,
  useModals,
  useQueues,
  useSchedules,
  useTemplateList,
} from '../shell/whole-lists.ts';
import { kindName, namesIn, placeOf, subjectName } from './audit-log-words.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

const byId = (...lists: readonly (readonly Named[] | undefined)[]): [string, string][] =>
  lists.flatMap((list) => (list ?? []).map(({ id, name }): [string, string] => [id, name]));

/** Names of things of one environment by id, of those kinds that a page of the log has. */
const useNamesAt = (kinds: ReadonlySet<string>, at?: Place) => {
  const mayTemplates = useMay('templates:read');
  const mayModals = useMay('modals:read');
  const mayDestinations = useMay('destinations:read');
  const maySchedules = useMay('messages:create');
  const mayQueues = useMay('organizations:read');
  const templates = useTemplateList(mayTemplates && kinds.size > 0, at);
  const modals = useModals(mayModals && kinds.has('modal'), at);
  const queues = useQueues(mayQueues && (kinds.has('queue') || kinds.has('batch')), at);
  const schedules = useSchedules(maySchedules && kinds.has('scheduled_message'), at);
  const destinations = useDestinations(mayDestinations && kinds.has('destination'), at);
  const lists = [templates, modals, queues, destinations];
  const names = new Map(byId(...lists.map(({ data }) => data)));
  // A schedule is called as what it sends.
  for (const { id, template_id } of schedules.data ?? []) {
    const name = names.get(template_id);
    if (name !== undefined) names.set(id, name);
  }
  return { names, areLoading: [...lists, schedules].some(({ isLoading }) => isLoading) };
};

const kindsOf = (records: readonly AuditRecord[]): ReadonlySet<string> =>
  new Set(records.map(({ subject }) => subject.kind));

/** Names of people and things by id, of those kinds that a page of the log has. */
export const useAuditNames = (
  records: readonly AuditRecord[],
): { names: ReadonlyMap<string, string>; areLoading: boolean } => {
  const { organization } = useActing();
  const elsewhere = useElsewhere();
  const isThere = ({ environment }: AuditRecord) => environment === elsewhere?.environment;
  const here = useNamesAt(kindsOf(records.filter((record) => !isThere(record))));
  const there = useNamesAt(kindsOf(records.filter(isThere)), elsewhere);
  const keys = useKeys(records.length > 0);
  const people = useMembers(useMay('organizations:read') && records.length > 0);
  const areLoading = [here, there].some((it) => it.areLoading) || keys.isLoading || people.isLoading;
  const names = new Map([
    ...namesIn(records),
    [organization.id, organization.name],
    ...there.names,
    ...here.names,
    ...byId(keys.data),
    ...(people.data ?? []).map(({ id, first_name, last_name, email }): [string, string] => [
      id,
      [first_name, last_name].filter(Boolean).join(' ') || email,
    ]),
  ]);
  return { names, areLoading };
};

/** What an entry is about, by name, with a link to where people see it. */
export const AuditSubject = ({
  record,
  names,
}: {
  record: AuditRecord;
  names: ReadonlyMap<string, string>;
}) => {
  const { place } = useActing();
  const kind = kindName(record.subject.kind);
  const name = subjectName(record, names);
  // Without a name the end of an id tells others apart.
  const { id } = record.subject;
  const end = /^[\da-f-]{36}$/.test(id) ? `(${id.slice(-8)})` : '';
  const text = (
    <>
      {kind} {name === undefined ? end : <bdi>{name}</bdi>}
    </>
  );
  const { screen, item } = placeOf(record) ?? {};
  if (screen === undefined) return text;
  const where = { ...place, environment: record.environment ?? place.environment, screen };
  return item === undefined ? (
    <Link to="/$organization/$environment/$screen" params={where}>
      {text}
    </Link>
  ) : (
    <Link to="/$organization/$environment/$screen/$item" params={{ ...where, item }}>
      {text}
    </Link>
  );
};
