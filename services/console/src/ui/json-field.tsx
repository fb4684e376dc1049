import { useState } from 'react';
import { readJson } from '../json.ts';
import { TextArea } from './field.tsx';

/** A field for JSON. It shows what is wrong once it was left, since half of a JSON is always wrong. */
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
}) => {
  const [wasLeft, leave] = useState(false);
  return (
    <TextArea
      label={label}
      hint={hint}
      code
      rows={rows}
      value={text}
      problem={wasLeft && text.trim() !== '' ? readJson(text).problem : undefined}
      onBlur={() => leave(true)}
      onChange={({ target }) => onText(target.value)}
    />
  );
};
