import { CodedError } from '@stanza/contracts';
import { z } from 'zod';

const user = z.looseObject({
  id: z.string().min(1),
  username: z.string().optional(),
  name: z.string().optional(),
});
const team = z.looseObject({ id: z.string().min(1) });
const stateValues = z.record(z.string(), z.record(z.string(), z.looseObject({ type: z.string() })));
const state = z.looseObject({ values: stateValues.optional() });
const action = z.looseObject({
  type: z.string(),
  action_id: z.string(),
  block_id: z.string().optional(),
});

const blockActions = z.looseObject({
  type: z.literal('block_actions'),
  trigger_id: z.string().min(1),
  user,
  team,
  container: z.looseObject({ channel_id: z.string().optional(), message_ts: z.string().optional() }),
  message: z
    .looseObject({
      text: z.string().default(''),
      blocks: z.array(z.looseObject({ type: z.string() })).default([]),
      metadata: z
        .looseObject({ event_payload: z.record(z.string(), z.unknown()).default({}) })
        .default({ event_payload: {} }),
    })
    .optional(),
  state: state.optional(),
  actions: z.array(action).min(1),
});

const viewSubmission = z.looseObject({
  type: z.literal('view_submission'),
  user,
  team,
  view: z.looseObject({
    id: z.string().min(1),
    hash: z.string(),
    private_metadata: z.string().default(''),
    state: state.optional(),
  }),
});

/** The use of an element of a message or a modal. */
export type BlockActions = z.output<typeof blockActions>;

/** The submission of a modal. */
export type ViewSubmission = z.output<typeof viewSubmission>;

/** The platform's payload, as far as it concerns this service. */
export type InteractionPayload =
  | BlockActions
  | ViewSubmission
  | { type: 'url_verification'; challenge: string }
  | { type: 'ssl_check' }
  | { type: 'other'; name: string };

const refused = (cause?: unknown): CodedError =>
  new CodedError(
    'invalid_request',
    { message: 'The body is not a valid interaction of the chat platform.' },
    { cause },
  );

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (err) {
    throw refused(err);
  }
};

const checked = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refused(parsed.error);
  return parsed.data;
};

const verification = z.looseObject({ type: z.literal('url_verification'), challenge: z.string().max(1_024) });

/**
 * Parses a body whose signature is valid.
 * @throws CodedError `invalid_request`
 */
export const readInteraction = (bytes: Buffer): InteractionPayload => {
  const text = bytes.toString('utf8');
  if (text.startsWith('{')) {
    const { challenge } = checked(verification, parseJson(text));
    return { type: 'url_verification', challenge };
  }
  const form = new URLSearchParams(text);
  const payload = form.get('payload');
  if (payload === null) {
    if (form.has('ssl_check')) return { type: 'ssl_check' };
    throw refused();
  }
  const json = parseJson(payload);
  const { type } = checked(z.looseObject({ type: z.string() }), json);
  if (type === 'block_actions') return checked(blockActions, json);
  if (type === 'view_submission') return checked(viewSubmission, json);
  return { type: 'other', name: type };
};

const optionValue = z.looseObject({ value: z.string().optional() });

/** The property with the chosen or entered value, by kind of element. */
const valueKeys = [
  'value',
  'selected_user',
  'selected_users',
  'selected_channel',
  'selected_channels',
  'selected_conversation',
  'selected_conversations',
  'selected_date',
  'selected_time',
  'selected_date_time',
  'rich_text_value',
  'files',
] as const;

/** A rich text that a person has left empty: no part of it has anything in it. */
const blankRichText = z.looseObject({
  type: z.literal('rich_text'),
  elements: z.array(z.looseObject({ elements: z.array(z.unknown()).max(0) })),
});

/** The chosen or entered value of an element: a text, a number, a list of them; null for none. */
export const valueOfElement = (element: Readonly<Record<string, unknown>>): unknown => {
  const { selected_option: one, selected_options: several } = element;
  if (one !== undefined && one !== null) return optionValue.safeParse(one).data?.value ?? null;
  if (Array.isArray(several)) return several.map((it) => optionValue.safeParse(it).data?.value ?? null);
  const key = valueKeys.find((name) => element[name] !== undefined);
  const value = key === undefined ? null : element[key];
  return blankRichText.safeParse(value).success ? null : value;
};

/**
 * The values in the inputs of a message or a modal, by action id. Inputs of different blocks may share one, as those of
 * the platform's own builder do: the later ones get a number.
 */
export const formOf = (given: z.output<typeof state> | undefined): Record<string, unknown> => {
  const fields = Object.values(given?.values ?? {}).flatMap((block) => Object.entries(block));
  const ids = new Set(fields.map(([id]) => id));
  const form = new Map<string, unknown>();
  for (const [id, element] of fields) {
    let name = id;
    let number = 1;
    while (form.has(name) || (name !== id && ids.has(name))) {
      name = `${id}_${number}`;
      number += 1;
    }
    form.set(name, valueOfElement(element));
  }
  return Object.fromEntries(form);
};
