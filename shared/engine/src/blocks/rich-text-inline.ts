import { exact } from '../grammar/exact.ts';
import { pressedAddress, timeZone, webAddress } from '../grammar/forms.ts';
import { type Field, object, optional, required } from '../grammar/object.ts';
import { choice, emojiName, flag, integer, moment, personId, word } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import type { Kind, Kinds } from '../grammar/typed.ts';
import { isObject, type JsonObject } from '../json.ts';
import { made } from '../parse/node.ts';
import { UnknownPerson } from '../run/people.ts';
import { spendOutput } from '../run/run.ts';
import { codePoints } from '../text/cut.ts';
import { citationTypes, tagColors } from './platform-lists.ts';
import { clean, stringIn } from './summary.ts';

const style = object('style', {
  fields: Object.fromEntries(
    ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'client_highlight', 'unlink'].map(
      (name) => [name, optional(flag)],
    ),
  ),
});

const styled = (fields: Record<string, Field>): Kind => ({
  shape: { fields: { ...fields, style: optional(style) } },
});

const literal = () => text('rich_text.text', 'plain');
const address = exact('rich_text.url', { form: pressedAddress });
const picture = exact('rich_text.url', { form: webAddress });
/** The text and the address of what is mentioned, where its reader cannot see it. */
const fallback: Record<string, Field> = { text: optional(literal()), url: optional(address) };

/** A mention of a person who is not known becomes a text, the address that was to be looked up. */
const userOrAddress: NonNullable<Kind['around']> = (value, context, parser) => {
  const node = parser(value, context);
  if (node === undefined || node.fixed) return node;
  return made((run) => {
    const user = node.make(run);
    if (!isObject(user) || !(user.user_id instanceof UnknownPerson)) return user;
    const { user_id: person, style: styleOf } = user;
    person.tell(run, 'the address stands there as text');
    run.text += codePoints(person.address);
    spendOutput(run, 0, person.address.length);
    return { type: 'text', text: person.address, ...(styleOf !== undefined && { style: styleOf }) };
  });
};

/** What everybody writes. A `text` has no marks, so values need no escaping there. */
const common: Kinds = {
  text: styled({ text: required(literal()) }),
  link: styled({
    url: required(address),
    text: optional(literal()),
    unsafe: optional(flag),
    from_llm: optional(flag),
    is_slack_url: optional(flag),
    truncated: optional(flag),
  }),
  emoji: styled({
    name: required(emojiName),
    unicode: optional(word),
    url: optional(picture),
    skin_tone: optional(integer('rich_text.skin_tone')),
  }),
  user: { ...styled({ user_id: required(personId), from_llm: optional(flag) }), around: userOrAddress },
  usergroup: styled({ usergroup_id: required(word) }),
  team: styled({ team_id: required(word) }),
  channel: styled({ channel_id: required(word), tab_id: optional(word), from_llm: optional(flag) }),
  broadcast: styled({ range: required(choice('here', 'channel', 'everyone')) }),
  date: styled({
    timestamp: required(moment()),
    format: required(word),
    timezone: optional(exact('picker.timezone', { form: timeZone })),
    url: optional(address),
    fallback: optional(literal()),
  }),
  color: styled({ value: required(word) }),
  tag: styled({ text: required(literal()), color: optional(choice(...tagColors)) }),
};

const citationDetails = object('citation’s details', {
  fields: {
    citation_type: required(choice(...citationTypes)),
    descriptor: optional(literal()),
    file_id: optional(word),
    app_name: optional(literal()),
    app_icon_url: optional(picture),
    display_name: optional(literal()),
    title: optional(literal()),
    snippet: optional(literal()),
    channel: optional(word),
    message_ts: optional(word),
    memory_id: optional(word),
  },
});

/** References to other things of the workspace. */
const references: Kinds = {
  attachment_mention: styled({
    url: required(address),
    text: optional(literal()),
    app_id: optional(word),
    entity_id: optional(word),
    icon_url: optional(picture),
    icon_name: optional(word),
    channel_id: optional(word),
    ts: optional(word),
    full_size_preview_enabled: optional(flag),
    reference_object_type: optional(word),
    product_name: optional(literal()),
  }),
  canvas: styled({
    file_id: required(word),
    label: optional(literal()),
    hide_title: optional(flag),
    section_id: optional(word),
    is_skill_invocation: optional(flag),
    ...fallback,
  }),
  canvas_user_mention: styled({ user_id: required(word), thread_id: optional(word) }),
  canvas_message_unfurl: styled({ root_message_ts: required(word), root_message_channel: required(word) }),
  citation: {
    shape: {
      fields: {
        url: required(address),
        text: required(literal()),
        index: required(integer()),
        details: required(citationDetails),
        from_llm: optional(flag),
        is_slack_url: optional(flag),
      },
    },
  },
  file: styled({ file_id: required(word), is_skill_invocation: optional(flag), ...fallback }),
  list_record: styled({
    file_id: required(word),
    record_id: optional(word),
    view_id: optional(word),
    ...fallback,
  }),
  message_mention: styled({
    channel_id: required(word),
    message_ts: required(word),
    author_id: optional(word),
    thread_ts: optional(word),
    ...fallback,
  }),
  salesforce_data_field: styled({
    salesforce_record_id: required(word),
    salesforce_field_label: optional(literal()),
    salesforce_field_api_name: optional(word),
    salesforce_include_field_label: optional(flag),
  }),
  work_object_mention: styled({
    entity_id: required(word),
    app_id: required(word),
    text: required(literal()),
    url: required(address),
    icon_url: optional(picture),
    full_size_preview_enabled: optional(flag),
    product_name: optional(literal()),
  }),
  workflow_mention: styled({
    workflow_id: required(word),
    function_trigger_id: required(word),
    text: required(literal()),
    url: optional(address),
    channel_id: optional(word),
    ts: optional(word),
  }),
};

/** Elements of a line of rich text, as the platform documents them. */
export const inlineKinds: Kinds = { ...common, ...references };

const said =
  (...keys: readonly string[]) =>
  (element: JsonObject): string =>
    clean(keys.map((key) => stringIn(element, key)).find((value) => value !== '') ?? '');

/** The last second of which a computer knows the date. */
const LAST = 8_640_000_000_000;

/** A moment in each reader's zone; where its format cannot stand in mrkdwn, and for older clients, in UTC. */
const textOfDate = ({ timestamp, format, fallback: given }: JsonObject): string => {
  if (typeof given === 'string' && given !== '') return clean(given);
  if (typeof timestamp !== 'number' || timestamp > LAST) return '';
  const utc = `${new Date(timestamp * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const isPlain = typeof format !== 'string' || /[\^|<>&\n]/.test(format);
  return isPlain ? utc : `<!date^${timestamp}^${format}|${utc}>`;
};

const texts = new Map<string, (element: JsonObject) => string>(
  Object.entries({
    text: said('text'),
    link: said('text', 'url'),
    emoji: (element) => clean(`:${stringIn(element, 'name')}:`),
    // The blocks mention; a second mention in the fallback text would say it twice.
    user: () => '@…',
    usergroup: () => '@…',
    canvas_user_mention: () => '@…',
    channel: () => '#…',
    broadcast: (element) => clean(`@${stringIn(element, 'range')}`),
    date: textOfDate,
    color: said('value'),
    tag: said('text'),
    attachment_mention: said('text', 'url'),
    canvas: said('label', 'text', 'url'),
    citation: said('text', 'url'),
    salesforce_data_field: said('salesforce_field_label'),
  }),
);
/** Of any other element, known or not. */
const textOfOther = said('text', 'url');

/** The plain text of an element of a line. */
export const inlineText = (element: JsonObject): string =>
  (texts.get(stringIn(element, 'type')) ?? textOfOther)(element);
