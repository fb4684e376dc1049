import { nearestName } from '@stanza/engine';
import { type List, type ListPage, type Stanza, StanzaError } from '@stanza/sdk';
import { CommandProblem } from '../problem.ts';

/** What templates and other resources name. */
export type NamedKind = 'entity' | 'modal' | 'destination' | 'template' | 'partial';

const kinds = [
  'entity',
  'modal',
  'destination',
  'template',
  'partial',
] as const satisfies readonly NamedKind[];

interface Named {
  id: string;
  key: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What is no key: a placeholder, which data fills, and an id that no key was found for. */
const isOpen = (name: string): boolean => name.includes('{{') || uuid.test(name);

type OfEach<T> = Readonly<Record<NamedKind, T>>;

const empty = <T>(make: () => T): OfEach<T> => ({
  entity: make(),
  modal: make(),
  destination: make(),
  template: make(),
  partial: make(),
});

/** The keys of what files name, and their ids in one environment. Files have keys alone. */
export class Names {
  readonly #ids = empty(() => new Map<string, string>());
  readonly #keys = empty(() => new Map<string, string>());
  readonly #coming = empty(() => new Set<string>());

  constructor(named: Partial<OfEach<readonly Named[]>>) {
    for (const kind of kinds) for (const { id, key } of named[kind] ?? []) this.learn(kind, key, id);
  }

  /** Notes what is there. */
  learn(kind: NamedKind, key: string, id: string): void {
    this.#ids[kind].set(key, id);
    this.#keys[kind].set(id.toLowerCase(), key);
  }

  /** Notes what a push will make before anything that names it. */
  expect(kind: NamedKind, key: string): void {
    this.#coming[kind].add(key);
  }

  /** Whether a key names something that is yet to be made. */
  isComing(kind: NamedKind, key: string): boolean {
    return this.#coming[kind].has(key) && !this.#ids[kind].has(key);
  }

  /** The key of an id; the text itself where it names nothing here, as a placeholder. */
  keyOf(kind: NamedKind, id: string): string {
    return this.#keys[kind].get(id.toLowerCase()) ?? id;
  }

  /** Whether a key names something here, or something that a push will make. */
  has(kind: NamedKind, key: string): boolean {
    return this.#ids[kind].has(key) || this.#coming[kind].has(key) || isOpen(key);
  }

  /** The id of a key. @throws CommandProblem where nothing has it */
  idOf(kind: NamedKind, key: string): string {
    const id = this.#ids[kind].get(key);
    if (id !== undefined) return id;
    if (isOpen(key)) return key;
    throw new CommandProblem(
      this.missing(kind, key),
      `Create the ${kind} first, or correct its key in the file.`,
    );
  }

  /** Says that nothing has a key. */
  missing(kind: NamedKind, key: string): string {
    const near = nearestName(key, [...this.#ids[kind].keys(), ...this.#coming[kind]]);
    return `There is no ${kind} ${key} in this environment${near ? `; did you mean ${near}?` : '.'}`;
  }
}

const all = async <T extends Named, P extends ListPage<T>>(
  list: List<T, P>,
  refused: () => void,
): Promise<Named[]> => {
  const found: Named[] = [];
  try {
    for await (const { id, key } of list) found.push({ id, key });
    return found;
  } catch (error) {
    if (!(error instanceof StanzaError && error.code === 'insufficient_scope')) throw error;
    refused();
    return [];
  }
};

/**
 * Reads the names of an environment. Those that the key may not read stay ids in files, and the note says so.
 * @param withTemplates also reads the names of templates, which queues and schedules have
 */
export const readNames = async (
  stanza: Stanza,
  note: (line: string) => void,
  withTemplates = false,
): Promise<Names> => {
  const refused = (scope: string) => () =>
    note(`the key lacks ${scope}: what files name of these stays an id in them`);
  const [entity, modal, destination, template] = await Promise.all([
    all(stanza.entities.list(), refused('entities:read')),
    all(stanza.modals.list(), refused('modals:read')),
    all(stanza.destinations.list(), refused('destinations:read')),
    withTemplates ? all(stanza.templates.list(), refused('templates:read')) : [],
  ]);
  return new Names({ entity, modal, destination, template });
};
