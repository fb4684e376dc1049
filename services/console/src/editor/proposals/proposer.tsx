import type { TemplateProposal } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { useAuthors } from '../use-authors.ts';

const ways: Readonly<Record<TemplateProposal['source'], string>> = {
  web: 'in the console',
  api: 'through the API',
  mcp: 'through an agent',
};

/** Says who proposed a version, and through what; a key by its name where one may see it. */
export const useProposer = (): ((proposal: TemplateProposal) => string) => {
  const { place } = useActing();
  const { nameOf } = useAuthors();
  const maySeeKeys = useMay('api-keys:read');
  const keys = useRead(
    api.listKeys,
    { query: { limit: 100, environment: place.environment } },
    { enabled: maySeeKeys, staleMs: 60_000 },
  );
  return ({ proposed_by, key_id, source, agent }) => {
    const way = agent === null ? ways[source] : `through ${agent}`;
    if (key_id === null) return `${nameOf(proposed_by)} ${way}`;
    const name = keys.data?.data.find(({ id }) => id === key_id)?.name;
    return `${name === undefined ? 'a key' : `the key “${name}”`} ${way}`;
  };
};
