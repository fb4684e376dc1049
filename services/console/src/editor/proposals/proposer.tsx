import type { TemplateProposal } from '@stanza/contracts';
import { useKeys } from '../../shell/whole-lists.ts';
import { useAuthors } from '../use-authors.ts';

const ways: Readonly<Record<TemplateProposal['source'], string>> = {
  web: 'in the console',
  api: 'through the API',
  mcp: 'through an agent',
};

/** Says who proposed a version, and through what; a key by its name where one may see it. */
export const useProposer = (): ((proposal: TemplateProposal) => string) => {
  const { nameOf } = useAuthors();
  const keys = useKeys();
  return ({ proposed_by, key_id, source, agent }) => {
    const way = agent === null ? ways[source] : `through ${agent}`;
    if (key_id === null) return `${nameOf(proposed_by)} ${way}`;
    const name = keys.data?.find(({ id }) => id === key_id)?.name;
    return `${name === undefined ? 'a key' : `the key “${name}”`} ${way}`;
  };
};
