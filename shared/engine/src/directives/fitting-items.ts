import { isList } from '../json.ts';
import { type LimitName, limitOf, limits } from '../limits.ts';
import { noteLeftOut, remember } from '../run/leave-out.ts';
import type { Run } from '../run/run.ts';
import { codePoints } from '../text/cut.ts';
import { lengthOf } from '../text/length-of.ts';
import type { Composed } from '../text/together.ts';

const { max } = limits['message.text_total'];

const beyond = (texts: readonly Composed[] = [], limit: LimitName): number =>
  Math.max(0, texts.reduce((sum, { text }) => sum + codePoints(text), 0) - limitOf(limit).max);

/** The text of a run, without what is cut later for texts to fit together: those of markdown blocks, and of a table. */
const textOf = ({ text, together }: Run, out: readonly unknown[]): number => {
  if (text <= max || together === undefined) return text;
  const { markdown, cells } = together;
  return (
    text - beyond(markdown, 'markdown.total') - (isList(out.at(-1)) ? beyond(cells, 'table.text_total') : 0)
  );
};

/** What was emitted at one go. */
interface Emitted {
  readonly entries: number;
  /** Entries that found no room in the list. */
  readonly unplaced: number;
  readonly fits: boolean;
  readonly takeBack: () => void;
}

const emitted = (run: Run, out: unknown[], emit: () => void): Emitted => {
  const { text, skipped } = run;
  const { length } = out;
  const before = textOf(run, out);
  const undo = remember(run);
  emit();
  const unplaced = run.skipped - skipped;
  // Until here it is an estimate, which may be twice the length.
  run.text = Math.min(run.text, text + lengthOf(out.slice(length)));
  const isLong = before <= max && textOf(run, out) > max;
  const takeBack = (): void => {
    undo();
    out.length = length;
    run.skipped = skipped;
  };
  return { entries: out.length - length, unplaced, fits: unplaced === 0 && !isLong, takeBack };
};

/**
 * The items of a loop with a note, in a run that leaves out. The note counts what is not shown, so that is settled here:
 * an item without room in its list or in the message is taken back as a whole.
 */
export class FittingItems {
  readonly #run: Run;
  readonly #out: unknown[];
  readonly #shown: Emitted[] = [];
  /** Entries that their list has no room for, and those that the message has none for. */
  #beyondList = 0;
  #beyondTotal = 0;
  #hidden = 0;

  constructor(run: Run, out: unknown[]) {
    this.#run = run;
    this.#out = out;
  }

  /** Items that are taken back. */
  get hidden(): number {
    return this.#hidden;
  }

  /** Emits an item, and takes it back where it does not fit. */
  add(emit: () => void): void {
    const item = emitted(this.#run, this.#out, emit);
    if (!item.fits) this.#hide(item);
    else if (item.entries > 0) this.#shown.push(item);
  }

  /** Emits the note, for which the last items make room. */
  end(pointer: string, emit: () => void): void {
    for (;;) {
      const note = emitted(this.#run, this.#out, emit);
      const last = note.fits ? undefined : this.#shown.pop();
      if (last === undefined) break;
      note.takeBack();
      this.#hide(last);
    }
    this.#run.skipped += this.#beyondList;
    const entries = this.#beyondTotal;
    if (entries === 0) return;
    const story = `${entries === 1 ? 'an entry is' : `${entries} entries are`} left out, as the \`overflow_text\` says: all blocks together hold ${max} characters of text at most (limit \`message.text_total\`).`;
    noteLeftOut(this.#run, { pointer, story, entries });
  }

  #hide({ entries, unplaced, takeBack }: Emitted): void {
    // Its room may be what the list has too little of.
    if (unplaced > 0 || this.#out.length >= this.#run.room) this.#beyondList += entries + unplaced;
    else this.#beyondTotal += entries;
    takeBack();
    this.#hidden += 1;
  }
}
