import { useEffect, useState } from 'react';

const quietMs = 250;

/** What was typed, once nothing more is typed for a moment. */
export const useSettled = (text: string): string => {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), quietMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};
