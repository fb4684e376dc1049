import { useEffect } from 'react';

/**
 * Brings the chosen option of a list into sight when the choice or the search changes, and at no other time: who
 * scrolls the list finds it where it was left. A list whose field does not have the focus scrolls nothing: the dialog
 * around it stays at its beginning.
 */
export const useInSight = (optionId: string, search = ''): void =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search shows other options under the same id
  useEffect(() => {
    if (document.activeElement?.getAttribute('aria-activedescendant') !== optionId) return;
    document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' });
  }, [optionId, search]);
