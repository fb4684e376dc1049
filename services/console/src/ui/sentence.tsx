import { Fragment } from 'react';

/** A sentence of the API or of the engine, in which names and values stand between backticks. */
export const Sentence = ({ children }: { children: string }) =>
  children.split(/`([^`]+)`/).map((part, place) => {
    const key = `${place} ${part}`;
    return place % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>;
  });
