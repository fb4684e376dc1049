import { isList } from '../../json.ts';
import { describeReference } from '../../run/frame.ts';
import { emailOf, personOf, UnknownPerson, withAddresses } from '../../run/people.ts';
import { spendEvaluations } from '../../run/run.ts';
import { cleanerOf, type TextKind } from '../../text/escape.ts';
import { type Filter, type FilterEnvironment, SafeText, scalarText, unformatted } from './filter.ts';

/** Kinds of text in which the platform reads marks. */
export const isMarked = (kind: TextKind): boolean => kind === 'mrkdwn' || kind === 'markdown';

const markOf = (id: string): string | undefined => {
  if (/^[UWB][A-Z0-9]{1,30}$/.test(id)) return `<@${id}>`;
  return /^S[A-Z0-9]{1,30}$/.test(id) ? `<!subteam^${id}>` : undefined;
};

const needs = 'the id of a user or a user group, or an e-mail address';

/** The text of an id or of the person of an e-mail address, as its kind of text mentions them. */
const mentionText = (text: string, step: string, environment: FilterEnvironment): unknown => {
  const { run, kind, pointer, reference } = environment;
  // A plain text has no mentions.
  if (kind === 'plain') return text;
  const email = emailOf(text);
  const id =
    email === undefined
      ? text
      : personOf(run, email, {
          address: text,
          path: describeReference(reference, run.frame) + step,
          pointer,
        });
  if (kind === 'exact') return id;
  if (id instanceof UnknownPerson) return withAddresses(run, id);
  const mark = markOf(id);
  return mark === undefined ? unformatted(text, needs, environment) : new SafeText(mark);
};

const isAbsent = (item: unknown): boolean => item === null || item === '';

/** Everybody in a list, one after the other. */
const mentionList = (list: readonly unknown[], environment: FilterEnvironment): unknown => {
  const { run, kind } = environment;
  const texts = list.map(scalarText);
  if (!list.every((item, index) => isAbsent(item) || texts[index] !== undefined)) {
    return unformatted(list, 'a list of texts', environment);
  }
  spendEvaluations(run, list.length);
  const mentioned = texts.flatMap((text, index) =>
    text === undefined || text === '' ? [] : [mentionText(text, `[${index}]`, environment)],
  );
  if (!isMarked(kind)) return mentioned;
  const clean = cleanerOf(kind);
  const written = mentioned.map((item) => (item instanceof SafeText ? item.text : clean(String(item))));
  return new SafeText(written.join(', '));
};

/** Mentions people and groups: by their ids, or by e-mail where the run has the people of the addresses. */
export const mention: Filter = {
  name: 'mention',
  takes: [],
  last: true,
  apply: (value, _, environment) => {
    if (isList(value)) return mentionList(value, environment);
    const text = scalarText(value);
    return text === undefined
      ? unformatted(value, 'a text', environment)
      : mentionText(text, '', environment);
  },
  meaning:
    'mentions the user or user group of this id, or the person with this e-mail address (looked up on sends); everybody of a list',
  example: '{{author.chat_id | mention}}',
};
