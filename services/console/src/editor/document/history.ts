import { readJson } from '../../json.ts';
import { isDocument, printed, type TemplateDocument } from './document.ts';

/** What is edited at one moment. */
export interface Edition {
  /** The last document that was valid. */
  readonly document: TemplateDocument;
  /** The JSON as it was typed; undefined where it is the document, printed. Text that is no document stays here. */
  readonly text?: string | undefined;
  /** Why the text is no document. */
  readonly textProblem?: string | undefined;
}

/** The editions before and after the one on the screen. */
export interface History {
  readonly past: readonly Edition[];
  readonly present: Edition;
  readonly future: readonly Edition[];
  /** Typing at one place is one step until it settles: the place of the last change. */
  readonly place?: string | undefined;
}

/** What can happen to the history. */
export type HistoryAction =
  | { readonly do: 'change'; readonly document: TemplateDocument; readonly place?: string }
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'undo' }
  | { readonly do: 'redo' }
  | { readonly do: 'settle' }
  | { readonly do: 'save'; readonly document: TemplateDocument; readonly of: Edition }
  | { readonly do: 'open'; readonly edition: Edition };

/** More steps than this are forgotten, the oldest first. */
const maxSteps = 200;

/** A history that begins now. */
export const startHistory = (present: Edition): History => ({ past: [], present, future: [] });

const next = (history: History, present: Edition, place: string | undefined): History => {
  const isSameStep = place !== undefined && place === history.place;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-maxSteps);
  return { past, present, future: [], place };
};

/** What typed JSON makes of an edition: a document, or a text with its problem beside the last document. */
export const readText = (text: string, before: Edition): Edition => {
  const read = readJson(text);
  if (read.problem !== undefined) return { document: before.document, text, textProblem: read.problem };
  if (isDocument(read.value)) return { document: read.value, text };
  return { document: before.document, text, textProblem: 'A template is an object with a list of `blocks`.' };
};

/** The text of the JSON view. */
export const textOfEdition = ({ document, text }: Edition): string => text ?? printed(document);

/** The history after an action. */
export const historyAfter = (history: History, action: HistoryAction): History => {
  const { past, present, future } = history;
  switch (action.do) {
    case 'change':
      return next(history, { document: action.document }, action.place);
    case 'type':
      return action.text === textOfEdition(present)
        ? history
        : next(history, readText(action.text, present), 'json');
    case 'undo': {
      const last = past.at(-1);
      return last === undefined
        ? history
        : { past: past.slice(0, -1), present: last, future: [present, ...future] };
    }
    case 'redo': {
      const [first, ...rest] = future;
      return first === undefined ? history : { past: [...past, present], present: first, future: rest };
    }
    case 'settle':
      return { ...history, place: undefined };
    // The server's form of what is on the screen: to undo it would show the same once more, as a change. What was
    // written while it was saved stays as it is.
    case 'save':
      return present === action.of ? { past, present: { document: action.document }, future: [] } : history;
    case 'open':
      return startHistory(action.edition);
  }
};
