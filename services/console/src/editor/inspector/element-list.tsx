import { isList } from '../../json.ts';
import { below } from '../document/pointer.ts';
import { rowsOf, titleOf } from '../document/rows.ts';
import { blankOf, blankValue, figureOf, shapeIn } from '../document/schema.ts';
import { wordsOf } from '../document/words.ts';
import styles from './inspector.module.css';
import type { FieldProps } from './simple-inputs.tsx';
import { useSurroundings } from './surroundings.ts';

/** The parts of a block, which have rows of their own in the outline: leads to each, and adds one. */
export const ElementList = ({ label, description, value, pointer, schema, onChange }: FieldProps) => {
  const { choose } = useSurroundings();
  const list = isList(value) ? value : undefined;
  const parts = list ?? [value];
  const of = list === undefined ? description : description.of;
  const types = of?.variants === undefined ? (of?.types ?? []) : Object.keys(of.variants);
  const max = list === undefined ? undefined : figureOf(schema, description.limit);
  const at = (place: number): string => (list === undefined ? pointer : below(pointer, place));
  const add = (type: string): void => {
    const shape =
      of?.variants === undefined ? shapeIn(schema, of?.table ?? '', type, undefined) : of.variants[type];
    const made =
      types.length === 0 && of ? blankValue(of, schema) : { type, ...(shape && blankOf(shape, schema)) };
    onChange([...parts, made], pointer);
    choose(at(parts.length));
  };
  return (
    <div className={styles.field}>
      <span>
        {label}
        {max !== undefined && (
          <span className={styles.count} data-over={parts.length > max}>
            {parts.length} / {max}
          </span>
        )}
      </span>
      <ul className={styles.parts}>
        {parts.map((part, place) => (
          <li key={at(place)}>
            <button type="button" onClick={() => choose(at(place))}>
              {titleOf(part)} <span>{rowsOf([part])[0]?.summary}</span>
            </button>
          </li>
        ))}
      </ul>
      {list !== undefined && types.length > 0 && (
        <label className={styles.more}>
          <span className="visually-hidden">Add to {label.toLowerCase()}</span>
          <select value="" onChange={({ target }) => add(target.value)}>
            <option value="">Add to {label.toLowerCase()}…</option>
            {types.map((type) => (
              <option key={type} value={type}>
                {wordsOf(type)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
};
