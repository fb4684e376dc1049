import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copyable.module.css';

/** Copies a text, and says so. */
export const CopyButton = ({
  text,
  children,
  autoFocus,
}: {
  text: string;
  children: string;
  autoFocus?: boolean | undefined;
}) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button autoFocus={autoFocus} onClick={() => void copy()} aria-live="polite">
      {isCopied ? 'Copied' : children}
    </Button>
  );
};

/** A text to take elsewhere, with a button that copies it. */
export const Copyable = ({
  label,
  text,
  autoFocus,
}: {
  label: string;
  text: string;
  /** Whether a dialog opens for it. */
  autoFocus?: boolean;
}) => (
  <figure className={styles.copyable} aria-label={label}>
    <code>{text}</code>
    <CopyButton text={text} autoFocus={autoFocus}>
      Copy
    </CopyButton>
  </figure>
);

/** Any JSON, as text. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <section className={styles.json} aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
    <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
  </section>
);
