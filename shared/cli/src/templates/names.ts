import { nearestName } from '@stanza/engine';
import { type List, type ListPage, type Stanza, StanzaError } from '@stanza/sdk';
import { CommandProblem } from '../problem.ts';

/** What templates name. */
export type NamedKind = 'entity' | 'modal' | 'destination';

interface Named {
  id: string;
  key: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What is no key: a placeholder, which data fills, and an id that no key was found for. */
const isOpen = (name: string): boolean => name.includes('{{') || uuid.test(name);

/** The keys of what templates name, and their ids in one environment. Files have keys alone. */
export class Names {
  readonly #ids: Readonly<Record<NamedKind, ReadonlyMap<string, string>>>;
  readonly #keys: Readonly<Record<NamedKind, ReadonlyMap<string, string>>>;

  constructor(named: Readonly<Record<NamedKind, readonly Named[]>>) {
    const ids = (kind: NamedKind) => new Map(named[kind].map(({ id, key }) => [key, id]));
    const keys = (kind: NamedKind) => new Map(named[kind].map(({ id, key }) => [id.toLowerCase(), key]));
    this.#ids = { entity: ids('entity'), modal: ids('modal'), destination: ids('destination') };
    this.#keys = { entity: keys('entity'), modal: keys('modal'), destination: keys('destination') };
  }

  /** The key of an id; the text itself where it names nothing here, as a placeholder. */
  keyOf(kind: NamedKind, id: string): string {
    return this.#keys[kind].get(id.toLowerCase()) ?? id;
  }

  /** Whether a key names something here. */
  has(kind: NamedKind, key: string): boolean {
    return this.#ids[kind].has(key) || isOpen(key);
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
    const near = nearestName(key, [...this.#ids[kind].keys()]);
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

/** Reads the names of an environment. Those that the key may not read stay ids in files, and the note says so. */
export const readNames = async (stanza: Stanza, note: (line: string) => void): Promise<Names> => {
  const refused = (scope: string) => () =>
    note(`the key lacks ${scope}: what templates name of these stays an id in files`);
  const [entity, modal, destination] = await Promise.all([
    all(stanza.entities.list(), refused('entities:read')),
    all(stanza.modals.list(), refused('modals:read')),
    all(stanza.destinations.list(), refused('destinations:read')),
  ]);
  return new Names({ entity, modal, destination });
};
