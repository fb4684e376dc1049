import type { JsonObject } from '../json.ts';
import { type LimitName, limitOf } from '../limits.ts';
import { type Interaction, noteProblem, type Run } from '../run/run.ts';
import { freeName, unusableNames } from './unique-action-ids.ts';

/** The name of the event that every message of ours carries. */
export const messageEvent = 'stanza_message';

/** Version of the form of `actions` and `context`. */
const FORM = 1;
/** Bytes that are kept free for the message key, which the sender of the message adds as `event_payload.key`. */
export const reservedKeyBytes = 64;

/** The metadata of an interactive message for its later use. */
export type MessageMetadata = {
  readonly event_type: typeof messageEvent;
  readonly event_payload: {
    readonly v: typeof FORM;
    /** JSON text: lists of actions by the `action_id` of the template, with a number where another list has that name. */
    readonly actions: string;
    /**
     * JSON text: `values` that the actions read, by path as written, and `elements` by compiled `action_id`: `of`,
     * the name of its list where that differs, and the `values` of its own loops.
     */
    readonly context: string;
  };
};

const bytes = (text: string): number => new TextEncoder().encode(text).length;

interface ElementContext {
  of?: string;
  values?: JsonObject;
}

const isOfData = (path: string, { element }: Interaction, shared: JsonObject, value: unknown): boolean =>
  element !== undefined && Object.hasOwn(shared, path) && shared[path] === value;

/** Values that are the same for every element stand once. */
const sharedValues = (interactions: readonly Interaction[]): JsonObject => {
  const [first, ...others] = interactions;
  if (first === undefined) return {};
  return Object.fromEntries(
    Object.entries(first.values).filter(([path, value]) =>
      others.every(({ values }) => values[path] === value),
    ),
  );
};

/** The names of lists of actions. Elements of one loop share a list, and others may have written the same id. */
const namesOf = (interactions: readonly Interaction[]): Map<readonly unknown[], string> => {
  const names = new Map<readonly unknown[], string>();
  const known = new Map<string, string>();
  const taken = new Set(unusableNames);
  for (const { actions, templateId } of interactions) {
    if (names.has(actions)) continue;
    const text = JSON.stringify([templateId, actions]);
    const name = known.get(text) ?? freeName(templateId, taken, '#');
    known.set(text, name);
    taken.add(name);
    names.set(actions, name);
  }
  return names;
};

const contextOf = (
  interactions: readonly Interaction[],
  names: ReadonlyMap<readonly unknown[], string>,
): JsonObject => {
  const shared = sharedValues(interactions);
  const elements: [string, ElementContext][] = [];
  for (const interaction of interactions) {
    const id = String(interaction.element.action_id);
    const own = Object.entries(interaction.values).filter(
      ([path, value]) => !isOfData(path, interaction, shared, value),
    );
    const entry: ElementContext = {};
    const name = names.get(interaction.actions);
    if (name !== undefined && id !== name) entry.of = name;
    if (own.length > 0) entry.values = Object.fromEntries(own);
    if (Object.keys(entry).length > 0) elements.push([id, entry]);
  }
  return {
    ...(Object.keys(shared).length > 0 && { values: shared }),
    ...(elements.length > 0 && { elements: Object.fromEntries(elements) }),
  };
};

const noteTooLong = (run: Run, pointer: string, limit: LimitName, actual: number): void => {
  const { max } = limitOf(limit);
  const message = `Actions and what they read take ${actual} bytes of the message's metadata; ${max} fit. Read less data in them, or give fewer elements an interaction.`;
  noteProblem(run, { pointer, rule: 'limit.max', message, limit, max, actual });
};

const noteRepeated = (run: Run, interactions: readonly Interaction[]): void => {
  const seen = new Set<unknown>();
  for (const { element, pointer } of interactions) {
    const { action_id: id } = element;
    if (seen.has(id)) {
      // The blocks of a partial are the same wherever it is used, but a loop numbers the ids of its rounds.
      const message =
        'Another element with an interaction has the same `action_id`; give them different ones. Use a partial that has one once, or in a loop.';
      noteProblem(run, { pointer, rule: 'id.conflict', message });
    }
    seen.add(id);
  }
};

/** The metadata of elements whose ids are final. */
const metadataOfElements = (interactions: readonly Interaction[]): MessageMetadata => {
  const names = namesOf(interactions);
  const lists = [...names].map(([list, name]): [string, readonly unknown[]] => [name, list]);
  const actions = JSON.stringify(Object.fromEntries(lists));
  const context = JSON.stringify(contextOf(interactions, names));
  return { event_type: messageEvent, event_payload: { v: FORM, actions, context } };
};

/** The limit that metadata is over, and its size. */
const breachOf = (metadata: MessageMetadata): { limit: LimitName; actual: number } | undefined => {
  const { event_payload } = metadata;
  const size = bytes(event_payload.actions) + bytes(event_payload.context);
  if (size > limitOf('interactivity.metadata_bytes').max) {
    return { limit: 'interactivity.metadata_bytes', actual: size };
  }
  const keyed = { ...metadata, event_payload: { ...event_payload, key: 'k'.repeat(reservedKeyBytes) } };
  const whole = bytes(JSON.stringify(keyed));
  if (whole <= limitOf('interactivity.metadata_total_bytes').max) return undefined;
  return { limit: 'interactivity.metadata_total_bytes', actual: whole };
};

/** Whether the actions of these elements, and what they read, fit into the metadata of a message. */
export const fitsMetadata = (interactions: readonly Interaction[]): boolean =>
  interactions.length === 0 || breachOf(metadataOfElements(interactions)) === undefined;

/** The metadata of a run whose ids are final; none where no element carries an interaction. */
export const metadataOf = (run: Run): MessageMetadata | undefined => {
  const { interactions } = run;
  const first = interactions?.[0];
  if (interactions === undefined || first === undefined) return undefined;
  noteRepeated(run, interactions);
  const metadata = metadataOfElements(interactions);
  const breach = breachOf(metadata);
  if (breach !== undefined) noteTooLong(run, first.pointer, breach.limit, breach.actual);
  return metadata;
};
