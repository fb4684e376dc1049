import type { CodedError, MentionedPeople } from '@stanza/contracts';
import { type Logger, toCodedError } from '@stanza/runtime';
import type { FoundPeople, PeopleByEmail } from '../chat/people-by-email.ts';
import type { ChatAccess } from '../chat/platform.ts';
import type { Deadline } from '../deadline.ts';

/** Milliseconds for which a message waits for the people whom it mentions at most. */
const mentionPatienceMs = 3_000;

/** The answer of a compile, as far as mentions go. */
interface Compiled {
  mentions?: string[] | undefined;
  warnings: string[];
}

/** How the people of a message are looked up, and the message is compiled with them. */
export interface Mentioning<T> {
  people: PeopleByEmail;
  /** The connected workspace of the tenant, where people are looked up; may reject, and every look-up has failed then. */
  access: () => Promise<ChatAccess>;
  /** What follows the look-ups is not counted in. */
  deadline: Deadline;
  log: Logger;
  again: (people: MentionedPeople) => Promise<T>;
}

const reasonOf = ({ code, facts }: CodedError): string => {
  if (facts.error_details === JSON.stringify('missing_scope')) {
    return 'the app lacks the scope `users:read.email`';
  }
  if (code === 'rate_limited') return 'the platform limits look-ups at the moment';
  if (code === 'service_unavailable') return 'the platform did not answer in time';
  return `look-ups end in \`${code}\``;
};

const lookUp = async (
  emails: readonly string[],
  { people, access, deadline, log }: Pick<Mentioning<unknown>, 'people' | 'access' | 'deadline' | 'log'>,
): Promise<FoundPeople> => {
  try {
    const asker = { deadline: deadline.within(mentionPatienceMs), log, journal: [], yields: true };
    return await people.find(await access(), emails, asker);
  } catch (err) {
    return { people: {}, failure: toCodedError(err) };
  }
};

/**
 * Compiles a message again with the people whom it mentions by e-mail, each looked up once; one that mentions none stays as
 * it is. The addresses of people who are not found stand in the message, and its warnings say so.
 */
export const withMentions = async <T extends Compiled>(
  compiled: T,
  mentioning: Mentioning<T>,
): Promise<T> => {
  const { mentions = [] } = compiled;
  if (mentions.length === 0) return compiled;
  const { people, failure } = await lookUp(mentions, mentioning);
  const again = await mentioning.again(people);
  if (failure === undefined) return again;
  const warning = `Not everybody who is mentioned by e-mail could be looked up: ${reasonOf(failure)}.`;
  return { ...again, warnings: [...again.warnings, warning] };
};
