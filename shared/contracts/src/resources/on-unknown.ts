import { z } from 'zod';

/** What is done with a message whose outcome stays unknown: it is held for people, or posted again. */
export const unknownPolicies = ['hold', 'repost'] as const;

/** See {@link unknownPolicies}. */
export type UnknownPolicy = (typeof unknownPolicies)[number];

/** Most times that one digest or run is posted again. */
export const maxReposts = 3;

/** The choice of a queue or a schedule. */
export const onUnknown = z
  .enum(unknownPolicies)
  .describe(
    'what is done with a message whose outcome is unknown. `hold`: it is never posted again by itself. `repost`: it is posted again where a lookup ten minutes after its post does not find it in the channel, three times at most; the channel may then show it up to four times',
  )
  .meta({ id: 'OnUnknown' });
