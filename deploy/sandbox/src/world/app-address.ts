import { z } from 'zod';

/** Address of the app for interactions, and the secret that signs them. */
export const appAddress = z.strictObject({
  interactions_url: z.url({ protocol: /^https?$/ }),
  signing_secret: z.string().min(1),
});

/** See {@link appAddress}. */
export type AppAddress = z.infer<typeof appAddress>;
