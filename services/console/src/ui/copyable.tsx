import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copyable.module.css';

/** Copies as a press of Ctrl+C does; false where the browser does not allow it. */
const copiedAsByHand = (text: string): boolean => {
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy, { once: true });
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', onCopy);
  return isCopied;
};

/** Browsers give the clipboard to pages that are served with encryption alone, and may ask the person first. */
const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedAsByHand(text);
  }
};

/** Copies a text, and says so. */
export const CopyButton = ({
  text,
  children,
  name,
  autoFocus,
}: {
  text: string;
  children: string;
  /** Its text and whose it is, where other rows have the same button. */
  name?: string;
  autoFocus?: boolean | undefined;
}) => {
  const [said, say] = useState<string>();
  const copy = async (): Promise<void> => say((await copied(text)) ? 'Copied' : 'The browser does not copy');
  return (
    <Button
      autoFocus={autoFocus}
      onClick={() => void copy()}
      aria-live="polite"
      aria-label={said === undefined ? name : undefined}
    >
      {said ?? children}
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
