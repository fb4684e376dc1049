import { readJson } from '../json.ts';
import { TextArea } from './field.tsx';

/** A field for JSON, which says what is wrong while it is written. */
export const JsonField = ({
  label,
  hint,
  text,
  rows = 8,
  onText,
}: {
  label: string;
  hint?: string;
  text: string;
  rows?: number;
  onText: (text: string) => void;
}) => (
  <TextArea
    label={label}
    hint={hint}
    code
    rows={rows}
    value={text}
    problem={text.trim() === '' ? undefined : readJson(text).problem}
    onChange={({ target }) => onText(target.value)}
  />
);
