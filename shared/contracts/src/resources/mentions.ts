import { z } from 'zod';

/**
 * The people whom a message mentions by e-mail, for a second compile of it. Compiles of the previous version drop it, and
 * the addresses stand there.
 */
export const mentionedPeople = z
  .record(z.string(), z.string().nullable())
  .optional()
  .describe(
    'by e-mail address in lower case: the chat id, or null without such a person; one that is left out could not be looked up',
  );

/** See {@link mentionedPeople}. */
export type MentionedPeople = NonNullable<z.output<typeof mentionedPeople>>;

/** The e-mail addresses that a compile without people would mention. Left out by processes of the previous version. */
export const wantedMentions = z
  .array(z.string())
  .optional()
  .describe(
    'e-mail addresses in lower case whose people the message mentions; left out where there are none',
  );
