import type { Block, PartialUser } from '@stanza/contracts';
import type { FindPartial, FoundPartial, NamedPartial } from '@stanza/engine';
import type { TemplateKind } from './tables.ts';

/** What the database has of a partial that blocks name. */
export type PartialRow = NamedPartial & {
  /** Null where no partial has the key. */
  partial_id: string | null;
  archived: boolean;
  is_live: boolean;
  version_number: number | null;
  blocks: Block[] | null;
};

/** What uses a partial: a template or another partial, by its live and its newest version. */
export interface UserRow {
  kind: TemplateKind;
  id: string;
  key: string;
  name: string;
  live: PartialUser['live'];
  newest: PartialUser['newest'];
  is_archived: boolean;
  total: number;
}

const foundIn = ({ key, version, ...row }: PartialRow): FoundPartial => {
  const hint = 'GET /v1/partials lists them.';
  if (row.partial_id === null) {
    return { rule: 'partial.unknown', message: `There is no partial with the key \`${key}\`.`, hint };
  }
  if (!row.is_live) {
    return {
      rule: 'partial.not_live',
      message: `No version of the partial \`${key}\` is live.`,
      hint: 'Make one live: POST /v1/partials/{id}/versions/{version_id}/activate.',
    };
  }
  // What holds a version goes on to hold it.
  if (row.archived && version === undefined) {
    return {
      rule: 'partial.archived',
      message: `The partial \`${key}\` is archived.`,
      hint: 'Unarchive it: POST /v1/partials/{id}/unarchive.',
    };
  }
  if (row.blocks === null || row.version_number === null) {
    return {
      rule: 'partial.unknown',
      message: `The partial \`${key}\` has no version ${version}.`,
      hint: 'Leave `version` out for the live one; GET /v1/partials/{id}/versions lists them.',
    };
  }
  return { version: row.version_number, blocks: row.blocks };
};

const nameOf = ({ key, version }: NamedPartial): string => `${key} ${version}`;

/** Finds partials among the rows that were read for them. */
export const partialsAmong = (rows: readonly PartialRow[]): FindPartial => {
  const byName = new Map(rows.map((row) => [nameOf(row), row]));
  return (key, version) => {
    const row = byName.get(nameOf({ key, version }));
    return row ? foundIn(row) : { rule: 'partial.unknown', message: `The partial \`${key}\` was not read.` };
  };
};

/**
 * What uses a partial, as the API shows it.
 * @param live the number of the live version of the partial; null for none
 */
export const presentUser = (
  { kind, id, key, name, live, newest, is_archived }: UserRow,
  liveNumber: number | null,
): PartialUser => {
  const isOld = (numbers: readonly number[]) => numbers.some((number) => number !== liveNumber);
  const is_behind = liveNumber !== null && !is_archived && isOld((live ?? newest).partial_versions);
  return { kind, id, key, name, live, newest, is_behind };
};

/** Those that a roll-out reaches: first what has no version with the live version of the partial. */
export const behind = (users: readonly UserRow[], liveNumber: number): UserRow[] => {
  const isDone = ({ newest: { partial_versions: held } }: UserRow) =>
    held.length > 0 && held.every((number) => number === liveNumber);
  const meant = users.filter((user) => presentUser(user, liveNumber).is_behind);
  return [...meant.filter((user) => !isDone(user)), ...meant.filter(isDone)];
};
