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
  readonly source: MessageSource;
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

const readExhibit = (slug: string): Exhibit => {
  const shown: Shown = { slug, data: read(slug, 'data.json'), expected: readExpected(slug) };
  return existsSync(fileOf(slug, 'modal.json'))
    ? { ...shown, kind: 'modal', source: read(slug, 'modal.json') }
    : { ...shown, kind: 'message', source: read(slug, 'template.json') };
};

/** The gallery: every folder beside this file, by name. */
export const exhibits: readonly Exhibit[] = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
  .map(readExhibit);

/** Every message of the gallery. */
export const messages: readonly Message[] = exhibits.filter((exhibit) => exhibit.kind === 'message');

/** Every modal view of the gallery. */
export const modals: readonly Modal[] = exhibits.filter((exhibit) => exhibit.kind === 'modal');
