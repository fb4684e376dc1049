import { type ReactNode, useState } from 'react';
import { CheckField } from '../../ui/field.tsx';
import type { Finding } from '../evaluation/findings.ts';

/**
 * Asks before a message with missing values goes out. The agreement holds for these values; another missing one asks
 * again.
 * @returns whether nothing is missing or that was agreed to, and the question where something is
 */
export const useMissing = (findings: readonly Finding[]): { isAgreed: boolean; question: ReactNode } => {
  const missing = [...new Set(findings.flatMap((finding) => finding.missing ?? []))].join(' ');
  const [agreed, agree] = useState('');
  const [wasAsked, ask] = useState(false);
  if (missing !== '' && !wasAsked) ask(true);
  return {
    isAgreed: missing === agreed || missing === '',
    // Once asked, its place stays: the button below is pressed where it was seen.
    question: wasAsked && (
      <div style={missing === '' ? { visibility: 'hidden' } : undefined}>
        <CheckField
          label="Go on although values are missing"
          hint="Their places in the message stay empty."
          checked={missing === agreed}
          onChange={({ target }) => agree(target.checked ? missing : '')}
        />
      </div>
    ),
  };
};
