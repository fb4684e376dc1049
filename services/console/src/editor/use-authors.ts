import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useRead } from '../api/use-api.ts';
import { useMay } from '../shell/allowed.tsx';
import { useMembers } from '../shell/whole-lists.ts';

/** Who wrote what. */
export interface Authors {
  /** The name of an author as people know it; those who may not see the members read “somebody else”. */
  readonly nameOf: (author: string) => string;
  /** The name of a member; undefined for anybody else, and until the members are read. */
  readonly memberName: (author: string) => string | undefined;
  /** Whether an author is the one who is signed in. */
  readonly isMe: (author: string) => boolean;
}

const fewMinutes = 5 * 60_000;

/** Names of the authors of drafts and versions; keys are named as such. */
export const useAuthors = (): Authors => {
  const { session } = useActing();
  const mayRead = useMay('organizations:read');
  const isPerson = session.kind === 'person';
  const profile = useRead(api.getProfile, {}, { enabled: isPerson, staleMs: fewMinutes });
  const members = useMembers(mayRead).data;
  const isMe = (author: string): boolean => profile.data?.id === author;
  const memberName = (author: string): string | undefined => {
    const found = members?.find(({ id }) => id === author);
    return found && ([found.first_name, found.last_name].filter(Boolean).join(' ') || found.email);
  };
  return {
    isMe,
    memberName,
    nameOf: (author) => {
      if (isMe(author)) return 'you';
      return memberName(author) ?? (members === undefined ? 'somebody else' : 'a program');
    },
  };
};
