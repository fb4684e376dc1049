/** Text that needs no escaping, because a filter made it of checked parts or the template asked for `raw`. */
export class SafeText {
  readonly text: string;
  /** The same in fewer characters; without it the text stands there whole or not at all. */
  readonly shorten: ((room: number) => string) | undefined;

  constructor(text: string, shorten?: (room: number) => string) {
    this.text = text;
    this.shorten = shorten;
  }

  /** The same in at most `room` characters, empty where it cannot be shortened. */
  shortened(room: number): SafeText {
    return new SafeText(this.shorten?.(room) ?? '');
  }
}

/** Code of a value, or a value whose styles work: its lines stay in the part of the template that it stands in. */
export class MarkedText extends SafeText {
  override shortened(room: number): MarkedText {
    return new MarkedText(this.shorten?.(room) ?? '');
  }
}
