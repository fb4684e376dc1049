import type { Scope } from '@stanza/contracts';
import type { ReactNode } from 'react';
import { useActing } from '../api/session-context.ts';
import styles from './shell.module.css';

/** Whether the signed-in person or key has a scope in this place. The server decides; this only spares a refusal. */
export const useMay = (scope: Scope): boolean => useActing().may(scope);

/** Shows what takes a scope to those who have it, and tells the others what is missing. */
export const Allowed = ({
  scope,
  to,
  children,
}: {
  scope: Scope;
  /** What it allows, as in "to create keys". */
  to: string;
  children: ReactNode;
}) => {
  const { role } = useActing();
  if (useMay(scope)) return children;
  return (
    <p className={styles.missing}>
      It takes the scope <code>{scope}</code> {to}; the role {role} or your key does not have it here.
    </p>
  );
};
