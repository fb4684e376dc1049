import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copyable.module.css';

/** A text to take elsewhere, with a button that copies it. */
export const Copyable = ({ label, text }: { label: string; text: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className={styles.copyable}>
      <code>
        <span className="visually-hidden">{label}: </span>
        {text}
      </code>
      <Button onClick={() => void copy()} aria-live="polite">
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
};

/** Any JSON, as text. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <section className={styles.json} aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
    <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
  </section>
);
