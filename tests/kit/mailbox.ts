import { testMailbox } from '@stanza/test-kit/database';
import { z } from 'zod';

const mailSchema = z.object({ from: z.string(), to: z.array(z.string()), text: z.string() });

/** A mail that the shared stack has sent. */
export type Mail = z.output<typeof mailSchema>;

/** The latest mail to an address; undefined where none was sent. */
export const mailTo = async (address: string): Promise<Mail | undefined> => {
  const response = await fetch(`${testMailbox()}/?to=${encodeURIComponent(address)}`);
  return z
    .array(mailSchema)
    .parse(await response.json())
    .at(-1);
};

/** Has the mail server refuse every mail to an address from now on. */
export const refuseMailTo = async (address: string): Promise<void> => {
  await fetch(`${testMailbox()}/refused`, { method: 'POST', body: address });
};
