import { type BareMarks, bareMarks, noBareMarks } from './bare.ts';
import type { TextKind } from './escape.ts';
import { planMarkdown } from './markdown.ts';
import { isWords, planMrkdwn, positionsInWords } from './mrkdwn.ts';
import { exactPosition, type Position, plainPosition } from './positions.ts';
import { type Brought, offsetsOf, type Region, type Scan, type Span, STAND_IN } from './scan.ts';

/** A part of a text: written by the template, or the value of a number. */
export type Token =
  | { readonly text: string; readonly region: Region | undefined }
  | { readonly value: number; readonly region: Region | undefined };

/** Splits a text at its values and at the borders of its regions. */
const tokensOf = (whole: string, holes: readonly number[], spans: readonly Span[]): Token[] => {
  const numbers = new Map(holes.map((hole, index) => [hole, index]));
  const borders = new Set([
    0,
    whole.length,
    ...holes.flatMap((hole) => [hole, hole + 1]),
    ...spans.flatMap(({ from, to }) => [from, to]),
  ]);
  const sorted = [...borders].sort((one, other) => one - other);
  let next = 0;
  return sorted.slice(0, -1).map((from, index): Token => {
    while ((spans[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    const span = spans[next];
    const region = span !== undefined && span.from <= from ? span.region : undefined;
    const value = numbers.get(from);
    return value === undefined ? { text: whole.slice(from, sorted[index + 1]), region } : { value, region };
  });
};

/** What the template writes of an address, an id or a moment that is none without its values: `https://`, `@`. */
const start = String.raw`(?:https?:\/\/(?:[/?#][^|()]*)?|mailto:|tel:|[@#]|!subteam\^|!date\^\^[^|]*)?`;
/** Marks of a link around such an address. */
const bareLink = new RegExp(`^(?:<${start}\\|?>|!?\\[\\]\\(${start}\\))$`);

/** The link of each value where nothing is linked without the values. */
const linksOf = (tokens: readonly Token[], count: number): (Region | undefined)[] => {
  const written = new Map<Region, string>();
  for (const token of tokens) {
    const region = token.region?.link ?? token.region;
    if (region?.kind !== 'link' || !('text' in token)) continue;
    written.set(region, (written.get(region) ?? '') + token.text);
  }
  const links = Array<Region | undefined>(count).fill(undefined);
  for (const token of tokens) {
    if (!('value' in token) || token.region === undefined) continue;
    if (bareLink.test(written.get(token.region) ?? '')) links[token.value] = token.region;
  }
  return links;
};

const noScan: Omit<Scan, 'positions'> = { spans: [], code: [] };

/** A text of the template with the positions of its values. */
export class TextPlan {
  readonly positions: readonly Position[];
  /** The code around each value whose delimiters depend on it; empty where there is none. */
  readonly code: readonly (Region | undefined)[];
  /**
   * The link around each value that makes its address, the `|` before one that makes its label, and the marks of styles
   * around it, alone or with other values; empty where there is none.
   */
  readonly links: readonly (Region | undefined)[];
  readonly #pieces: readonly string[];
  readonly #spans: readonly Span[];
  #tokens: readonly Token[] | undefined;

  constructor(
    pieces: readonly string[],
    positions: readonly Position[],
    { spans, code, bars }: Omit<Scan, 'positions'> = noScan,
    bare: BareMarks = noBareMarks,
  ) {
    this.#pieces = pieces;
    this.#spans =
      bare.spans.length === 0 ? spans : [...spans, ...bare.spans].sort((one, other) => one.from - other.from);
    this.positions = positions;
    this.code = code;
    const links = spans.length === 0 ? undefined : linksOf(this.tokens, positions.length);
    this.links =
      links === undefined
        ? bare.regions
        : links.map((link, index) => link ?? bars?.get(index) ?? bare.regions[index]);
  }

  /** The text part by part, which only a text needs that is too long or whose marks depend on its values. */
  get tokens(): readonly Token[] {
    this.#tokens ??= tokensOf(this.#pieces.join(STAND_IN), offsetsOf(this.#pieces), this.#spans);
    return this.#tokens;
  }
}

/**
 * Finds the position of every value of a text.
 *
 * @param pieces the text before, between and after the values
 * @param brought the marks that the filters of each value may bring
 */
export const planText = (
  pieces: readonly string[],
  kind: TextKind,
  brought: readonly Brought[] = [],
): TextPlan => {
  if (kind === 'plain' || kind === 'exact') {
    return new TextPlan(
      pieces,
      Array<Position>(pieces.length - 1).fill(kind === 'plain' ? plainPosition : exactPosition),
    );
  }
  const whole = pieces.join(STAND_IN);
  if (kind === 'mrkdwn' && isWords(whole, brought)) return new TextPlan(pieces, positionsInWords(pieces));
  const holes = offsetsOf(pieces);
  const scan =
    kind === 'mrkdwn' ? planMrkdwn(pieces, whole, { holes, brought }) : planMarkdown(pieces, whole, holes);
  return new TextPlan(pieces, scan.positions, scan, bareMarks(whole, holes, scan.positions, kind));
};
