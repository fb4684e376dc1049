import { StanzaError } from '@stanza/sdk';
import { CommandProblem } from '../problem.ts';
import type { Access, Kind, RemoteResource } from './kind.ts';

const listed = async (kind: Kind, access: Access): Promise<readonly RemoteResource[] | undefined> => {
  try {
    return await kind.list(access);
  } catch (error) {
    if (error instanceof StanzaError && error.code === 'insufficient_scope') return undefined;
    throw error;
  }
};

/**
 * What the API has of some kinds, by what names it. A kind that the key may not read is left out, and the note says so.
 * @throws CommandProblem where files have some of a kind that the key may not read
 */
export const readThere = async (
  kinds: readonly Kind[],
  access: Access,
  note: (line: string) => void,
): Promise<Map<string, RemoteResource>> => {
  const found = new Map<string, RemoteResource>();
  for (const kind of kinds) {
    const resources = await listed(kind, access);
    for (const one of resources ?? []) found.set(one.ref, one);
    if (resources) continue;
    if ([...access.locals.values()].some((local) => local.kind === kind))
      throw new CommandProblem(
        `The key lacks ${kind.scope}, which the files in ${kind.folder}/ need.`,
        'Give it the scope, or take the folder out of `kinds` in stanza.json.',
      );
    note(`the key lacks ${kind.scope}: ${kind.folder} are left out`);
  }
  return found;
};
