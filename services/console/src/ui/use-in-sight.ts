import { useEffect } from 'react';

/**
 * Brings the chosen option of a list into sight when the choice or the search changes, and at no other time: who
 * scrolls the list finds it where it was left.
 */
export const useInSight = (optionId: string, search = ''): void =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search shows other options under the same id
  useEffect(() => {
    document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' });
  }, [optionId, search]);
