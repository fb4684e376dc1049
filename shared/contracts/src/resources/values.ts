import { z } from 'zod';
import { limits } from '../limits.ts';
import { type LogPlace, listCursor, logPlaceText } from '../log-place.ts';

/** An id of ours: a uuid of any version and variant, for an id that is not ours is not found, whatever its bits. */
export const id = z.guid();

/** RFC 3339 in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-21T08:30:00.000Z' });

/** RFC 3339 takes the letters in either case, and a space in the place of the first. */
const withCapitals = (text: string): string =>
  text.replace(/^(\d{4}-\d{2}-\d{2})[t ]/, '$1T').replace(/z$/, 'Z');

/** A `+` that is not escaped arrives as a space, which stands nowhere else before an offset. */
const withPlus = (text: string): string => text.replace(/(\d) (\d{2}:\d{2})$/, '$1+$2');

const firstMs = Date.parse('0001-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a moment can be stored and be written again: its year in UTC has four digits, and is one of the calendar. */
const isInCalendar = (text: string): boolean => Date.parse(text) >= firstMs && Date.parse(text) <= lastMs;

const outside = 'must be a time of the years 0001 to 9999 in UTC';

const momentJson = { json: { type: 'string', format: 'date-time' } };

/** A moment that a request names, with any offset. */
export const moment = z
  .string()
  .transform(withCapitals)
  .pipe(z.iso.datetime({ offset: true, abort: true }).refine(isInCalendar, outside))
  .meta(momentJson);

/** A moment in a query string. */
export const momentQuery = z
  .string()
  .transform((text) => withCapitals(withPlus(text)))
  .pipe(
    z.iso
      .datetime({
        offset: true,
        abort: true,
        error: 'must be a time in RFC 3339, like 2026-01-31T09:00:00Z; the + of an offset is written as %2B',
      })
      .refine(isInCalendar, outside),
  )
  .meta(momentJson);

/** Refuses a span of time that ends before it begins: its empty answer would look like a true one. */
export const endsLast = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  context: z.core.$RefinementCtx,
): void => {
  if (from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)) return;
  context.addIssue({ code: 'custom', path: ['from'], message: 'is later than to; exchange them' });
};

/** The form of the `ts` by which the chat platform knows a message. */
export const messageTs = z
  .string({
    error: ({ input }) =>
      typeof input === 'number'
        ? 'must be text, like "1795249800.000100": as a number it loses its zeros, and names no message'
        : undefined,
  })
  .regex(
    /^\d{10}\.\d{6}$/,
    'must be the message_ts of a message: ten digits, a dot and six digits, like 1795249800.000100. Where it was a number on its way, it has lost its zeros: keep it as text',
  );

/** One line of text, without the characters that move a cursor or turn the direction of what follows. */
export const oneLine = /^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u;

/** A name for people. */
export const name = z
  .string()
  .min(1)
  .max(limits.name)
  .regex(/\S/, 'must hold more than white space')
  .regex(oneLine, 'must be one line without control characters')
  .meta({ id: 'Name' });

/**
 * The name of a thing for programs, unique among those of its kind in its environment. It never looks like an id, so that
 * a caller may take either.
 */
export const key = z
  .string()
  .min(1)
  .max(limits.key)
  .regex(
    /^(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    'must be lower-case letters, digits and hyphens, begin and end with a letter or digit, and not look like an id',
  )
  .meta({ id: 'Key', example: 'deploy-alert' });

/** The key that a request may give to what it creates. */
export const newKey = key
  .optional()
  .describe('names it for programs, the same in every environment; made from the name unless given');

/** The filter of a list by key. */
export const keyQuery = key.optional().describe('the one with this key');

/** A longer text for people. */
export const description = z.string().max(limits.description);

/**
 * A record of texts whose entries are counted before any of them is checked: a body can hold tens of thousands, and
 * each wrong one would become an issue.
 * @param what names the entries in the message of a refusal
 */
export const smallRecord = (name: z.ZodString, text: z.ZodString, most: number, what: string) => {
  const record = z.record(name, text);
  const { $schema: _dialect, ...json } = z.toJSONSchema(record, { io: 'input' });
  const isSmall = (value: unknown): boolean =>
    typeof value !== 'object' || Object.keys(value ?? {}).length <= most;
  return z
    .custom<Record<string, string>>(isSmall, { abort: true, error: `must hold ${most} ${what} at most` })
    .pipe(record)
    .meta({ json });
};

/** A JSON object whose keys are the caller's own; no alias is looked for inside. */
export const freeObject = z.record(z.string(), z.unknown());

/** One block of a template as it is given: a type, an optional id, and whatever the type takes. */
export const block = z.looseObject({ type: z.string().min(1), id: z.string().optional() }).meta({
  id: 'Block',
  freeForm: true,
  examples: [{ type: 'section', text: { type: 'mrkdwn', text: '*1.4.2* is live.' } }],
});

/** See {@link block}. */
export type Block = z.output<typeof block>;

/** The blocks of a template, in order. */
export const blocks = z.array(block).min(1).max(limits.templateBlocks);

const wholeNumber = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  const inRange = z.number().min(minimum, message).max(maximum, message);
  return z
    .string()
    .regex(/^-?\d{1,20}$/, message)
    .transform(Number)
    .pipe(inRange);
};

/** An integer in a query string, which may be left out. */
export const optionalIntegerQuery = (minimum: number, maximum: number) =>
  wholeNumber(minimum, maximum)
    .optional()
    .meta({ json: { type: 'integer', minimum, maximum } });

/** An integer in a query string. */
export const integerQuery = (minimum: number, maximum: number, preset: number) =>
  wholeNumber(minimum, maximum)
    .default(preset)
    .meta({ json: { type: 'integer', minimum, maximum, default: preset } });

/** The query of a list. */
export const pageQuery = z.strictObject({
  limit: integerQuery(1, limits.page, limits.defaultPage).describe('items of the page'),
  offset: integerQuery(0, limits.offset, 0).describe('items to skip'),
});

/** The query of a list of what goes on, which grows at its beginning while it is read. */
export const growingQuery = pageQuery.extend({
  cursor: listCursor
    .optional()
    .describe('`next_cursor` of the answer before: continues with older items, whatever is new'),
});

/** See {@link growingQuery}. */
export type GrowingPage = z.output<typeof growingQuery>;

/** Refuses a page that begins at two places. */
export const beginsOnce = (
  { cursor, offset }: { cursor?: string | undefined; offset: number },
  context: z.core.$RefinementCtx,
): void => {
  if (cursor === undefined || offset === 0) return;
  const message = 'counts from the newest item; leave it out where cursor says where to continue';
  context.addIssue({ code: 'custom', path: ['offset'], message });
};

/** The order of a list of named things; `-` is descending. */
export const sorts = z
  .enum(['created_at', '-created_at', 'updated_at', '-updated_at', 'name', '-name'])
  .default('-created_at');

/** See {@link sorts}. */
export type Sort = z.output<typeof sorts>;

/** What part of a list an answer holds. */
export const pagination = z
  .object({ offset: z.int(), limit: z.int(), total: z.int() })
  .meta({ id: 'Pagination' });

/** A page of a list, as stores answer it. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** The reply of a list. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), pagination });

/** The reply of a list that {@link growingQuery} asks for; `pagination.total` counts from the cursor on. */
export const growingListOf = <T extends z.ZodType>(item: T) =>
  listOf(item).extend({
    // During an upgrade, a process of the previous version leaves it out.
    next_cursor: z.string().nullable().optional().describe('continues with older items; null at the end'),
  });

/** Where the page after one continues; null at the end. */
export const cursorAfter = <T>(
  { items, total }: Page<T>,
  offset: number,
  placeOf: (item: T) => LogPlace,
): string | null => {
  const last = items.at(-1);
  return last === undefined || offset + items.length >= total ? null : logPlaceText(placeOf(last));
};

/** Credits are whole; the balance may be negative only as far as the tier's overage. */
export const credits = z.int();

/** The reply of a deletion. */
export const deleted = z.object({ success: z.literal(true), id }).meta({ id: 'Deleted' });
