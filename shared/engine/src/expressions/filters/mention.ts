import { isList } from '../../json.ts';
import { describeReference } from '../../run/frame.ts';
import { emailOf, personOf, UnknownPerson, withAddresses } from '../../run/people.ts';
import { spendEvaluations } from '../../run/run.ts';
import { codePoints } from '../../text/cut.ts';
import { SafeText } from '../../text/safe-text.ts';
import {
  type Filter,
  type FilterEnvironment,
  isAbsent,
  markedKind,
  scalarText,
  unformatted,
} from './filter.ts';

const markOf = (id: string): string | undefined => {
  if (/^[UWB][A-Z0-9]{1,30}$/.test(id)) return `<@${id}>`;
  return /^S[A-Z0-9]{1,30}$/.test(id) ? `<!subteam^${id}>` : undefined;
};

const needs = 'the id of a user or a user group, or an e-mail address';

/** The text of an id or of the person of an e-mail address, as its kind of text mentions them. */
const mentionText = (text: string, step: string, environment: FilterEnvironment): unknown => {
  const { run, kind, pointer, reference } = environment;
  // A plain text has no mentions.
  if (kind !== 'exact' && markedKind(environment) === undefined) return text;
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
  return mark === undefined ? unformatted(text, needs, environment, step) : new SafeText(mark);
};

const SEPARATOR = ', ';
const REST = ', …';

/** The first mentions of a list that fit, and a sign that there are more. */
const firstThatFit = (written: readonly string[], room: number): string => {
  let text = '';
  for (const mark of written) {
    const next = text === '' ? mark : text + SEPARATOR + mark;
    if (codePoints(next) + REST.length > room) break;
    text = next;
  }
  return text === '' ? '' : text + REST;
};

/** Everybody in a list, one after the other. */
const mentionList = (list: readonly unknown[], environment: FilterEnvironment): unknown => {
  const { run, position } = environment;
  const texts = list.map(scalarText);
  if (!list.every((item, index) => isAbsent(item) || texts[index] !== undefined)) {
    return unformatted(list, 'a list of texts', environment);
  }
  spendEvaluations(run, list.length);
  const mentioned = texts.flatMap((text, index) =>
    text === undefined || text === '' ? [] : [mentionText(text, `[${index}]`, environment)],
  );
  if (markedKind(environment) === undefined) return mentioned;
  const written = mentioned.map((item) =>
    item instanceof SafeText ? item.text : position.write(String(item), ' '),
  );
  return new SafeText(written.join(SEPARATOR), (room) => firstThatFit(written, room));
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
    'mentions the user or user group of this id, or the person with this e-mail address (looked up on sends); for a list, everyone in it',
  example: '{{author.chat_id | mention}}',
};
