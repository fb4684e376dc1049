/** Something that keeps a command from running, with what to do about it. */
export class Advice extends Error {
  /**
   * @param {string} what what happened
   * @param {string} advice what to do, as full sentences
   */
  constructor(what, advice) {
    super(what);
    this.advice = advice;
  }
}
