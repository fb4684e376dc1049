import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { useAuthors } from '../use-authors.ts';
import type { Loaded } from './api.ts';
import type { Target } from './next-live.ts';

/** Who makes a version live here by the policy of the organization; `anyone` to those who may not read it. */
export const useActivationPolicy = () => {
  const { place } = useActing();
  const { data, isLoading } = useRead(
    api.getOrganization,
    { params: { id: place.organization } },
    { enabled: useMay('organizations:read') },
  );
  return { activation: data?.activation ?? 'anyone', isLoading };
};

/**
 * Whether the policy of the organization keeps the signed-in person or key from making something live, as far as is
 * known before: the server knows those who wrote a draft as well, and has the last word.
 */
export const useRefusal = ({
  versions,
}: Loaded): { isRefused: (target: Target) => boolean; isLoading: boolean } => {
  const { session } = useActing();
  const { isMe } = useAuthors();
  const { activation, isLoading } = useActivationPolicy();
  const isRefused = (target: Target): boolean => {
    if (activation === 'anyone') return false;
    if (session.kind === 'key') return true;
    if (activation === 'person') return false;
    // What is on the screen is written by whoever saves it.
    if (target === 'screen') return true;
    const author = versions.find(({ id }) => id === target.version)?.created_by;
    return [author, target.proposal?.proposed_by].some((by) => by !== undefined && isMe(by));
  };
  return { isRefused, isLoading };
};
