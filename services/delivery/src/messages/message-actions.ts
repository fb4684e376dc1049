import { readPath } from '@stanza/engine/path';
import { z } from 'zod';

const object = z.record(z.string(), z.unknown());
const actionList = z.array(z.looseObject({ type: z.string() }));
const elementContext = z.object({ of: z.string().optional(), values: object.optional() });
const actionsSchema = z.record(z.string(), actionList);
const contextSchema = z.object({
  values: object.optional(),
  elements: z.record(z.string(), elementContext).optional(),
});

/** The metadata of an interactive message: the actions by the template's ids, and the values they read. */
export interface MessageActions {
  actions: z.output<typeof actionsSchema>;
  context: z.output<typeof contextSchema>;
}

/** The actions of an element and its stored values. */
export interface ElementActions {
  list: z.output<typeof actionList>;
  kept: Record<string, unknown>;
}

/** The supported version of the form. */
const form = 1;

const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON text' });
    return z.NEVER;
  }
});

const payloadSchema = z.looseObject({
  v: z.literal(form),
  actions: jsonText.pipe(actionsSchema),
  context: jsonText.pipe(contextSchema),
});

/** No actions at all. */
export const noActions: MessageActions = { actions: {}, context: {} };

/**
 * Parses the payload of a message's metadata; a message that is not interactive, or of another form, has no actions.
 */
export const readMessageActions = (payload: unknown): MessageActions => {
  const parsed = payloadSchema.safeParse(payload);
  return parsed.success ? { actions: parsed.data.actions, context: parsed.data.context } : noActions;
};

/** The root under which the facts of an interaction are read; they are not stored with the message. */
const factsRoot = 'interaction';

const isFact = (path: string): boolean => readPath(path)?.steps[0] === factsRoot;

const own = <T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** The name of the list of an element's actions; undefined without any. */
export const listNameOf = ({ actions, context }: MessageActions, actionId: string): string | undefined => {
  const name = own(context.elements, actionId)?.of ?? actionId;
  return Object.hasOwn(actions, name) ? name : undefined;
};

/** The actions of a message's element; undefined without any. */
export const actionsOfElement = (message: MessageActions, actionId: string): ElementActions | undefined => {
  const { actions, context } = message;
  const name = listNameOf(message, actionId);
  const list = name === undefined ? undefined : actions[name];
  if (list === undefined) return undefined;
  const element = own(context.elements, actionId);
  const kept = Object.entries({ ...context.values, ...element?.values }).filter(([path]) => !isFact(path));
  return { list, kept: Object.fromEntries(kept) };
};

/** The actions of both messages, whose elements and lists have names of their own. */
export const mergeActions = (before: MessageActions, added: MessageActions): MessageActions => ({
  actions: { ...before.actions, ...added.actions },
  context: {
    values: { ...before.context.values, ...added.context.values },
    elements: { ...before.context.elements, ...added.context.elements },
  },
});

/** The remaining actions when the message has only these elements. */
export const actionsOfElements = (
  { actions, context }: MessageActions,
  actionIds: ReadonlySet<string>,
): MessageActions => {
  const elements = Object.entries(context.elements ?? {}).filter(([id]) => actionIds.has(id));
  const names = new Set([...actionIds, ...elements.map(([, { of }]) => of)]);
  return {
    actions: Object.fromEntries(Object.entries(actions).filter(([id]) => names.has(id))),
    context: { ...context, ...(context.elements && { elements: Object.fromEntries(elements) }) },
  };
};

/** The payload with the actions. */
export const payloadOfActions = ({ actions, context }: MessageActions): Record<string, unknown> =>
  Object.keys(actions).length === 0
    ? {}
    : { v: form, actions: JSON.stringify(actions), context: JSON.stringify(context) };
