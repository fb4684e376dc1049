import { Fragment } from 'react';
import { withPathWords } from './path-words.ts';
import { problemsIn, reasonOf } from './reasons.ts';

/** A sentence of the API or of the engine, in which names and values stand between backticks. */
export const Sentence = ({ children }: { children: string }) =>
  withPathWords(children)
    .split(/`([^`]+)`/)
    .map((part, place) => {
      const key = `${place} ${part}`;
      return place % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>;
    });

/** Why something failed: a word of the platform, a sentence, or the problems of a template. */
export const Why = ({ details }: { details: string }) => {
  const problems = problemsIn(details);
  return <Sentence>{problems.length > 0 ? problems.join(' ') : reasonOf(details)}</Sentence>;
};
