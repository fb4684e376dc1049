import { z } from 'zod';

/** Where the app takes interactions, and the secret that signs what it is told. */
export const appAddress = z.strictObject({
  interactions_url: z.url({ protocol: /^https?$/ }),
  signing_secret: z.string().min(1),
});

/** See {@link appAddress}. */
export type AppAddress = z.infer<typeof appAddress>;
