import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A template as `POST /v1/templates` takes it. */
interface MessageSource {
  readonly name: string;
  readonly description: string;
  readonly fallback_text?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly blocks: readonly unknown[];
}

/** A modal as `POST /v1/modals` takes it. */
interface ModalSource {
  readonly name: string;
  readonly description: string;
  readonly title: string;
  readonly submit_label: string;
  readonly close_label: string;
  readonly blocks: readonly unknown[];
}

interface Shown {
  /** The name of its folder. */
  readonly slug: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Its expected output. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** A message of the gallery. */
export interface Message extends Shown {
  readonly kind: 'message';
  /** What stands alone: the blocks of its partials are its own. */
  readonly source: MessageSource;
  /** What its file has: `#use` names each of its partials. */
  readonly written: MessageSource;
}

/** Blocks that templates of the gallery share, as `POST /v1/partials` takes them. */
export interface SharedPartial {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly sample_data: Readonly<Record<string, unknown>>;
  readonly blocks: readonly unknown[];
}

/** A modal view of the gallery. */
export interface Modal extends Shown {
  readonly kind: 'modal';
  readonly source: ModalSource;
}

/** One template of the gallery. */
export type Exhibit = Message | Modal;

/** A file of an exhibit. */
export const fileOf = (slug: string, file: string): string => join(import.meta.dirname, slug, file);

const read = (slug: string, file: string) => JSON.parse(readFileSync(fileOf(slug, file), 'utf8'));

/** A new one has no expected output yet, which its test reports. */
const readExpected = (slug: string) =>
  existsSync(fileOf(slug, 'expected.json')) ? read(slug, 'expected.json') : {};

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const partialsFolder = 'partials';

/** The partials of the gallery, by key. */
export const partials: readonly SharedPartial[] = foldersIn(join(import.meta.dirname, partialsFolder)).map(
  (key) => read(join(partialsFolder, key), 'partial.json'),
);

/**
 * The blocks with those of each partial in its place. The service does so too; here it is done without the engine,
 * since the comparison of engines reads the gallery of a commit without its packages.
 */
const standingAlone = (blocks: readonly unknown[]): unknown[] =>
  blocks.map((block) => {
    const { directive, partial, with: given }: Record<string, unknown> = { ...Object(block) };
    if (directive !== '#use') return block;
    const found = partials.find(({ key }) => key === partial);
    if (!found) throw new Error(`the gallery has no partial ${partial}`);
    return { type: 'directive', directive: '#with', with: given, children: found.blocks };
  });

const readMessage = (shown: Shown): Message => {
  const written: MessageSource = read(shown.slug, 'template.json');
  const source = { ...written, blocks: standingAlone(written.blocks) };
  return { ...shown, kind: 'message', source, written };
};

const readExhibit = (slug: string): Exhibit => {
  const shown: Shown = { slug, data: read(slug, 'data.json'), expected: readExpected(slug) };
  return existsSync(fileOf(slug, 'modal.json'))
    ? { ...shown, kind: 'modal', source: read(slug, 'modal.json') }
    : readMessage(shown);
};

/** The gallery: every folder of a template next to this file, by name. */
export const exhibits: readonly Exhibit[] = foldersIn(import.meta.dirname)
  .filter((name) => name !== partialsFolder)
  .map(readExhibit);

/** Every message of the gallery. */
export const messages: readonly Message[] = exhibits.filter((exhibit) => exhibit.kind === 'message');

/** Every modal view of the gallery. */
export const modals: readonly Modal[] = exhibits.filter((exhibit) => exhibit.kind === 'modal');
