import { useState } from 'react';
import { newId } from '../document/new-id.ts';

/** A request is made once however often it is asked for; the next one after an answer is another one. */
export const useRequestKey = (): { current: () => string; renew: () => void } => {
  const [key, setKey] = useState(newId);
  return { current: () => key, renew: () => setKey(newId()) };
};
