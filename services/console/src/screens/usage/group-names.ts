import type { UsageGrouping } from '@stanza/contracts';
import { useAuthors } from '../../editor/use-authors.ts';
import { useMay } from '../../shell/allowed.tsx';
import { useKeys } from '../../shell/whole-lists.ts';
import { useTemplates, useTemplatesElsewhere } from '../template-names.ts';

/** The beginning of an id, where nothing else is known of it. */
const shortOf = (id: string): string => `${id.slice(0, 8)}…`;

/** Names what a report groups by: templates of both environments, keys in use and revoked, and people. */
export const useGroupNames = (grouping: UsageGrouping) => {
  const templates = useTemplates();
  const elsewhere = useTemplatesElsewhere(grouping === 'template');
  const maySeeKeys = useMay('api-keys:read');
  const keys = useKeys(grouping === 'key');
  const { isMe, memberName } = useAuthors();

  const callerName = (id: string): string => {
    if (isMe(id)) return 'you';
    const key = keys.data?.find((it) => it.id === id);
    if (key !== undefined) return key.status === 'active' ? key.name : `${key.name} (${key.status})`;
    return memberName(id) ?? `${maySeeKeys ? 'a former member' : 'a key or a former member'}, ${shortOf(id)}`;
  };
  const templateName = (id: string): string =>
    elsewhere.data?.find((it) => it.id === id)?.name ?? templates.nameOf(id);

  return {
    areLoading: templates.isLoading || elsewhere.isLoading || keys.isLoading,
    nameOfGroup: (group: string | null): string => {
      if (group === null) return 'unknown';
      if (grouping === 'template') return templateName(group);
      if (grouping === 'key') return callerName(group);
      return grouping === 'operation' ? group.replaceAll('-', ' ') : group;
    },
  };
};
