import { cleanExact, cleanPlain } from './escape.ts';
import { type Lines, oneLine } from './lines.ts';

/** A part of a text that a value of the data may stand in. */
export type PositionName =
  | `${'mrkdwn' | 'markdown'}.${'text' | 'code_span' | 'code_block' | 'link_label' | 'link_address'}`
  | 'mrkdwn.mention'
  | 'mrkdwn.argument'
  | 'markdown.autolink'
  | 'markdown.link_title'
  | 'markdown.code_language'
  | 'plain'
  | 'exact';

/** The treatment of values in a position, in words: `block-schema` and the docs print it. */
export interface PositionRule {
  readonly where: string;
  /** How a value is written, so that readers see it as it is. */
  readonly escaped: string;
  /** What happens to the value where the text is over its limit. The text of the template stays. */
  readonly over_limit: string;
}

const shortened = 'the value is shortened and ends in …';
const labelAlone = 'never shortened: if the address does not fit, only the label is shown';

/** Every position of a value and its treatment. A limit counts characters after escaping. */
export const positionRules: Readonly<Record<PositionName, PositionRule>> = {
  'mrkdwn.text': {
    where: 'mrkdwn text',
    escaped:
      '&, < and > as entities; a zero-width space neutralizes *, _, ~ and a leading > that would format; ˋ replaces a backtick that would open code; each line of a quote starts with >, and each line keeps the surrounding bold, italic or strikethrough',
    over_limit: shortened,
  },
  'mrkdwn.code_span': {
    where: 'between ` and ` in mrkdwn',
    escaped: '&, < and > as entities; ˋ replaces a backtick, and a space replaces a line break',
    over_limit: shortened,
  },
  'mrkdwn.code_block': {
    where: 'between ``` and ``` in mrkdwn',
    escaped: '&, < and > as entities; a zero-width space separates backticks that would end the code',
    over_limit: shortened,
  },
  'mrkdwn.link_label': {
    where: 'after the | of `<address|label>`',
    escaped: '&, < and > as entities; a space replaces a line break',
    over_limit: shortened,
  },
  'mrkdwn.link_address': {
    where: 'the address of `<address|label>`',
    escaped: 'characters not allowed in addresses as %XX; & as an entity',
    over_limit: labelAlone,
  },
  'mrkdwn.mention': {
    where: 'the id of `<@id>` or `<#id>`',
    escaped: 'all but letters, digits, _ and - as %XX',
    over_limit: 'never shortened: … replaces the mention',
  },
  'mrkdwn.argument': {
    where: 'after a ^ of `<!date^…>`',
    escaped: '| and ^ as %XX; &, < and > as entities',
    over_limit: 'never shortened: only the text after the | is shown',
  },
  'markdown.text': {
    where: 'text of a markdown block',
    escaped:
      'Markdown marks with a backslash; &, < and > as entities; further lines stay in the quote, the list item, the bold, italic or strikethrough; in a heading and a table cell a space replaces a line break; in a table cell | gets a backslash',
    over_limit: shortened,
  },
  'markdown.code_span': {
    where: 'between backticks of a markdown block',
    escaped:
      'unchanged; a space replaces a line break; the delimiter has more backticks than the code; a zero-width space keeps a value at the start of a line in the code',
    over_limit: shortened,
  },
  'markdown.code_block': {
    where: 'between ``` or ~~~ of a markdown block, and in lines indented by four spaces',
    escaped:
      'unchanged; the fence is longer than any in the value; a zero-width space separates the value from a closing mark in its line',
    over_limit: shortened,
  },
  'markdown.code_language': {
    where: 'after the ``` that opens a code block',
    escaped: 'only letters, digits and . + # _ -',
    over_limit: shortened,
  },
  'markdown.link_label': {
    where: 'the label of `[label](address)`',
    escaped: 'as text of a markdown block; a space replaces a line break',
    over_limit: shortened,
  },
  'markdown.link_address': {
    where: 'the address of `[label](address)`',
    escaped: 'characters not allowed in addresses, ( and ) as %XX; & as an entity',
    over_limit: labelAlone,
  },
  'markdown.link_title': {
    where: 'the title of `[label](address "title")`',
    escaped: 'as text of a markdown block, quotes with a backslash; a space replaces a line break',
    over_limit: shortened,
  },
  'markdown.autolink': {
    where: 'the address of `<address>` in a markdown block',
    escaped: 'characters not allowed in addresses as %XX; a value that is not an address is shown as text',
    over_limit: 'never shortened: … replaces the link',
  },
  plain: {
    where: 'plain text: headers, labels, options, cells, rich text',
    escaped: 'unchanged; filters for mentions and links return the plain value',
    over_limit: shortened,
  },
  exact: {
    where: 'ids, addresses and machine-readable values',
    escaped: 'unchanged; in an address, after the host, characters not allowed in addresses as %XX',
    over_limit: 'never shortened: a problem is reported',
  },
};

/** The position of one value in a text. */
export interface Position {
  readonly name: PositionName;
  /** Writes a value so that readers see it as it is. `before` is the text written so far. */
  readonly write: (value: string, before: string) => string;
  /** Puts a text in whose marks work, so that its lines stay where the value stands. */
  readonly bend: (marked: string, before: string) => string;
  /** Filters may make marks of the platform here: mentions, links, dates. */
  readonly takesMarks: boolean;
  /** Marks of styles and code work here, as they do in the text of the template. */
  readonly takesStyles: boolean;
  /** Code of a value, and a value with styles of its own, stand in one line here. */
  readonly isOneLine: boolean;
  /** Marks of styles that the template has opened around the value, the outermost first. */
  readonly styles: readonly string[];
  /** A mark of the template stands directly before, or behind; one next to a space would not work. */
  readonly isTightBefore: boolean;
  readonly isTightAfter: boolean;
  /** The template has a backtick of Markdown that a backtick of the value may make code with. */
  readonly hasLoneTicks: boolean;
  /** A shortened value would mean something else. */
  readonly isWhole: boolean;
}

const noStyles: readonly string[] = [];

/** A text that needs no bending. */
export const asItIs = (marked: string): string => marked;

/** A position of text, which may be shortened. No marks of a value work there. */
export const textPosition = (name: PositionName, write: Position['write']): Position => ({
  name,
  write,
  bend: asItIs,
  takesMarks: false,
  takesStyles: false,
  isOneLine: false,
  styles: noStyles,
  isTightBefore: false,
  isTightAfter: false,
  hasLoneTicks: false,
  isWhole: false,
});

/** The position of a value in the label of a link, where styles and code work. */
export const labelPosition = (name: PositionName, write: Position['write']): Position => ({
  name,
  write,
  bend: oneLine,
  takesMarks: false,
  takesStyles: true,
  isOneLine: true,
  styles: noStyles,
  isTightBefore: false,
  isTightAfter: false,
  hasLoneTicks: true,
  isWhole: false,
});

/** A position whose value stands there whole or not at all. */
export const wholePosition = (name: PositionName, write: Position['write']): Position => ({
  name,
  write,
  bend: asItIs,
  takesMarks: false,
  takesStyles: false,
  isOneLine: false,
  styles: noStyles,
  isTightBefore: false,
  isTightAfter: false,
  hasLoneTicks: false,
  isWhole: true,
});

/** The position of a value in text without marks. */
export const plainPosition = textPosition('plain', cleanPlain);
/** The position of a value in a text for machines. */
export const exactPosition = wholePosition('exact', cleanExact);

/** The position of a value in a text of Markdown, with what its line says of it. */
export interface LinePosition extends Lines {
  name: PositionName;
  prefix: string;
  styles: readonly string[];
  /** A mark of the template stands directly before, or behind; one next to a space would not work. */
  readonly isTightBefore: boolean;
  readonly isTightAfter: boolean;
  /** Between the value and a letter stand marks of the template alone, which work next to letters: `**{{v}}**s`. */
  readonly isBehindWord: boolean;
  readonly isBeforeWord: boolean;
  /** The character behind the value; empty at the end of the text. */
  readonly next: string;
  /** In a row of a table. */
  isCell: boolean;
  /** In a heading, which is one line. */
  isOneLine: boolean;
  /** In a line of a paragraph that is indented by four spaces, where no block of code begins. */
  isDeep: boolean;
  /** In code that would end where the value begins a line of its own, or leaves the mark next to it on one. */
  besideFence: 'before' | 'behind' | undefined;
  /** The template has a backtick that a backtick of the value may make code with. */
  hasLoneTicks: boolean;
}

/** A letter and the marks of a style behind it, three of them and those of another. */
const LONGEST_MARK = 6;
const wordBefore = /[\p{L}\p{N}\uFFFC][*~]+$/u;
const wordAfter = /^[*~]+[\p{L}\p{N}\uFFFC]/u;

/** The position of a value in text of Markdown, of which the characters next to it are known alone. */
export const linePositionAt = (whole: string, hole: number): LinePosition => ({
  name: 'markdown.text',
  prefix: '',
  isTightBefore: /[*_~]/.test(whole.charAt(hole - 1)),
  isTightAfter: /[*_~]/.test(whole.charAt(hole + 1)),
  isBehindWord: wordBefore.test(whole.slice(Math.max(0, hole - LONGEST_MARK), hole)),
  isBeforeWord: wordAfter.test(whole.slice(hole + 1, hole + 1 + LONGEST_MARK)),
  next: whole.charAt(hole + 1),
  styles: noStyles,
  isCell: false,
  isOneLine: false,
  isDeep: false,
  besideFence: undefined,
  hasLoneTicks: /[`\uFFFC]/.test(whole.charAt(hole - 1) + whole.charAt(hole + 1)),
});
