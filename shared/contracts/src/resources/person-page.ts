import { z } from 'zod';

/** The content of a page for a person in a browser; the gateway gives it its look. */
export const personPage = z
  .object({
    title: z.string(),
    text: z.array(z.string()).describe('paragraphs, without markup'),
    action: z
      .object({
        label: z.string(),
        href: z.string().describe('where the button posts to, seen from the page'),
      })
      .nullable(),
  })
  .meta({ id: 'Page' });

/** See {@link personPage}. */
export type PersonPage = z.output<typeof personPage>;
