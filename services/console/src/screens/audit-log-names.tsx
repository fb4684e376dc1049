import type { AuditRecord } from '@stanza/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allPages } from '../api/all-pages.ts';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { call, useRead } from '../api/use-api.ts';
import { useMay } from '../shell/allowed.tsx';
import { useDestinations, useMembers, useModals } from '../shell/whole-lists.ts';
import { kindName, namesSaid, placeOf, subjectName } from './audit-log-words.ts';
import { useTemplates } from './template-names.ts';

const options = { staleMs: 60_000 };
const query = { limit: 100 };

interface Named {
  readonly id: string;
  readonly name: string;
}

const byId = (...lists: readonly (readonly Named[] | undefined)[]): [string, string][] =>
  lists.flatMap((list) => (list ?? []).map(({ id, name }): [string, string] => [id, name]));

/** Templates of the other environment, where a page of the log has some of it. */
const useTemplatesElsewhere = (records: readonly AuditRecord[]): readonly Named[] => {
  const { place } = useActing();
  const other = {
    ...place,
    environment: place.environment === 'production' ? 'preview' : 'production',
  } as const;
  const isThere = records.some(({ environment }) => environment === other.environment);
  const { data } = useQuery({
    queryKey: [other.organization, other.environment, 'names of templates'],
    queryFn: ({ signal }) =>
      allPages((page) => call(api.listTemplates, other, { query: { ...page, sort: 'name' } }, { signal })),
    enabled: useMay('templates:read') && isThere,
    staleTime: options.staleMs,
  });
  return data ?? [];
};

/** Names of people and things by id, of those kinds that a page of the log has; of queues, schedules and keys the first hundred. */
export const useAuditNames = (
  records: readonly AuditRecord[],
): { names: ReadonlyMap<string, string>; areLoading: boolean } => {
  const { organization } = useActing();
  const kinds = new Set(records.map(({ subject }) => subject.kind));
  const mayModals = useMay('modals:read');
  const mayDestinations = useMay('destinations:read');
  const maySchedules = useMay('messages:create');
  const mayKeys = useMay('api-keys:read');
  const mayOrganization = useMay('organizations:read');
  const { templates, nameOf, isLoading } = useTemplates();
  const elsewhere = useTemplatesElsewhere(records);
  const modals = useModals(mayModals && kinds.has('modal'));
  const hasQueues = kinds.has('queue') || kinds.has('batch');
  const queues = useRead(api.listQueues, { query }, { ...options, enabled: mayOrganization && hasQueues });
  const schedules = useRead(
    api.listSchedules,
    { query },
    { ...options, enabled: maySchedules && kinds.has('scheduled_message') },
  );
  const destinations = useDestinations(mayDestinations && kinds.has('destination'));
  const keys = useRead(api.listKeys, { query }, { ...options, enabled: mayKeys && records.length > 0 });
  const people = useMembers(mayOrganization && records.length > 0);
  // A schedule is called as what it sends.
  const ofSchedules = schedules.data?.data.map(({ id, template_id }) => ({ id, name: nameOf(template_id) }));
  const lists = [modals, queues, schedules, destinations, keys, people];
  const areLoading = isLoading || lists.some((list) => list.isLoading);
  const names = new Map([
    ...namesSaid(records),
    [organization.id, organization.name],
    ...byId(elsewhere, templates, modals.data, queues.data?.data, destinations.data, keys.data?.data),
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
