import type { AuditRecord } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import { useActing } from '../api/session-context.ts';
import { useMay } from '../shell/allowed.tsx';
import {
  useDestinations,
  useKeys,
  useMembers,
  useModals,
  useQueues,
  useSchedules,
} from '../shell/whole-lists.ts';
import { kindName, namesIn, placeOf, subjectName } from './audit-log-words.ts';
import { useTemplates, useTemplatesElsewhere } from './template-names.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

const byId = (...lists: readonly (readonly Named[] | undefined)[]): [string, string][] =>
  lists.flatMap((list) => (list ?? []).map(({ id, name }): [string, string] => [id, name]));

/** Names of people and things by id, of those kinds that a page of the log has. */
export const useAuditNames = (
  records: readonly AuditRecord[],
): { names: ReadonlyMap<string, string>; areLoading: boolean } => {
  const { organization, place } = useActing();
  const kinds = new Set(records.map(({ subject }) => subject.kind));
  const mayModals = useMay('modals:read');
  const mayDestinations = useMay('destinations:read');
  const maySchedules = useMay('messages:create');
  const mayOrganization = useMay('organizations:read');
  const { templates, nameOf, isLoading } = useTemplates();
  const other = records.some(({ environment }) => environment !== null && environment !== place.environment);
  const elsewhere = useTemplatesElsewhere(other);
  const modals = useModals(mayModals && kinds.has('modal'));
  const hasQueues = kinds.has('queue') || kinds.has('batch');
  const queues = useQueues(mayOrganization && hasQueues);
  const schedules = useSchedules(maySchedules && kinds.has('scheduled_message'));
  const destinations = useDestinations(mayDestinations && kinds.has('destination'));
  const keys = useKeys(records.length > 0);
  const people = useMembers(mayOrganization && records.length > 0);
  // A schedule is called as what it sends.
  const ofSchedules = schedules.data?.map(({ id, template_id }) => ({ id, name: nameOf(template_id) }));
  const lists = [modals, queues, schedules, destinations, keys, people];
  const areLoading = isLoading || lists.some((list) => list.isLoading);
  const names = new Map([
    ...namesIn(records),
    [organization.id, organization.name],
    ...byId(elsewhere.data, templates, modals.data, queues.data, destinations.data, keys.data),
    ...byId(ofSchedules),
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
