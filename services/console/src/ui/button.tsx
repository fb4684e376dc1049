import { type ButtonHTMLAttributes, type ReactNode, useState } from 'react';
import styles from './button.module.css';

/** A button. `primary` is the one action that a screen is for; `danger` loses something, `destroy` does so at once; `link` looks like one. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onFocus' | 'onBlur'> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger' | 'destroy' | 'link';
  /** The action is under way: it cannot be pressed again, and says so. */
  busy?: boolean;
  children: ReactNode;
}

/** See {@link ButtonProps}. */
export const Button = ({
  look = 'plain',
  busy = false,
  disabled = false,
  children,
  onClick,
  className,
  ...rest
}: ButtonProps) => {
  // A disabled button loses the focus, which a keyboard needs where the action fails, or has no more to do.
  const [hasFocus, setFocus] = useState(false);
  const isOff = busy || disabled;
  return (
    <button
      type="button"
      {...rest}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
      disabled={disabled && !hasFocus}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      className={[styles.button, styles[look], className].filter(Boolean).join(' ')}
    >
      {children}
    </button>
  );
};
