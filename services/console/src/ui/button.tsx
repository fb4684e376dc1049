import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

/** A button. `primary` is the one action that a screen is for; `danger` loses something, `destroy` does so at once; `link` looks like one. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger' | 'destroy' | 'link';
  /** The action is under way: it cannot be pressed again, and says so. */
  busy?: boolean;
  children: ReactNode;
}

/** See {@link ButtonProps}. */
export const Button = ({
  look = 'plain',
  busy = false,
  children,
  onClick,
  className,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    // A disabled button loses the focus, which a keyboard needs where the action fails.
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    className={[styles.button, styles[look], className].filter(Boolean).join(' ')}
  >
    {children}
  </button>
);
