/** Text that needs no escaping, because a filter made it of checked parts or the template asked for `raw`. */
export class SafeText {
  readonly text: string;
  /** The same in fewer characters; without it the text stands there whole or not at all. */
  readonly shorten: ((room: number) => string) | undefined;

  constructor(text: string, shorten?: (room: number) => string) {
    this.text = text;
    this.shorten = shorten;
  }
}
