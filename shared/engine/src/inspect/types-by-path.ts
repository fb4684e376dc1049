import { LENGTH } from '../expressions/placeholders/value-at.ts';
import type { ReadStep } from '../run/path-text.ts';
import { writePath } from '../run/path-text.ts';
import type { DerivedField, InputField } from './fields.ts';
import type { InputType } from './value-type.ts';

/** The derived types of a template's data by path. */
export class TypesByPath {
  readonly #types = new Map<string, InputType>();

  constructor(data: Pick<DerivedField, 'fields' | 'items'>) {
    this.#types.set(writePath([]), 'object');
    this.#addInside(data);
  }

  /** The keyword of a schema for what a loop over the value at some steps goes over. */
  itemsKeyword(steps: readonly ReadStep[]): 'items' | 'additionalProperties' {
    return this.#typeAt(steps) === 'object' ? 'additionalProperties' : 'items';
  }

  /** Whether some steps lead to the length of a list or a text, and not to a key of an object. */
  isLength(steps: readonly ReadStep[]): boolean {
    if (steps.at(-1) !== LENGTH) return false;
    const type = this.#typeAt(steps.slice(0, -1));
    return type !== undefined && type !== 'object';
  }

  /** All items of a list have one type. */
  #typeAt(steps: readonly ReadStep[]): InputType | undefined {
    return this.#types.get(writePath(steps.map((step) => (typeof step === 'number' ? null : step))));
  }

  #addInside({ fields = [], items }: Pick<InputField, 'fields' | 'items'>): void {
    for (const field of items ? [...fields, items] : fields) {
      this.#types.set(field.path, field.type);
      this.#addInside(field);
    }
  }
}
