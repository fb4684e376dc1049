import { isList, isObject, type JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { noteLeftOut } from '../run/leave-out.ts';
import type { Run } from '../run/run.ts';
import { lengthOf } from '../text/length-of.ts';
import type { ChatBlock } from './run-blocks.ts';

const { max } = limits['message.text_total'];

/** Keys of lists that may lose entries, while what is around them stays; a row of a table is lost as a whole. */
const lists = ['elements', 'child_blocks', 'rows'] as const;

/** Whether the entries that are left make what their list stands for: a table shows rows under its header. */
const isEnough = (key: string, given: readonly unknown[], kept: readonly unknown[]): boolean =>
  key === 'rows' ? kept.length > 1 && kept[0] === given[0] : kept.length > 0;

/** The characters that are left, and the entries for which there were too few. */
interface Room {
  left: number;
  entries: number;
}

/** An entry with what there is room for, in its order; undefined where nothing is left of it. */
const fit = <T>(entry: T, room: Room): T | undefined => {
  const length = lengthOf(entry);
  if (length <= room.left) {
    room.left -= length;
    return entry;
  }
  const key = isObject(entry) ? lists.find((name) => isList(entry[name])) : undefined;
  return key === undefined || !isObject(entry) ? leaveOut(room) : fitWithin(entry, key, length, room);
};

const leaveOut = (room: Room): undefined => {
  room.entries += 1;
  return undefined;
};

const fitWithin = <T extends JsonObject>(
  entry: T,
  key: string,
  length: number,
  room: Room,
): T | undefined => {
  const { left, entries } = room;
  const { [key]: given } = entry;
  room.left -= length - lengthOf(given);
  if (isList(given) && room.left >= 0) {
    const kept = given.map((inner) => fit(inner, room)).filter((inner) => inner !== undefined);
    if (isEnough(key, given, kept)) return { ...entry, [key]: kept };
  }
  // What is around them goes too.
  Object.assign(room, { left, entries });
  return leaveOut(room);
};

/**
 * Leaves out what makes the blocks longer than the platform takes, which would refuse all of them: the innermost entries
 * for which those before them leave no room. Shorter ones behind them stay.
 */
export const leaveOutBeyondTotal = (blocks: readonly ChatBlock[], run: Run): ChatBlock[] => {
  if (run.text <= max) return [...blocks];
  const room: Room = { left: max, entries: 0 };
  const kept = blocks.flatMap((block, index): ChatBlock[] => {
    const { entries } = room;
    const fitting = fit(block, room);
    const lost = room.entries - entries;
    if (lost > 0) {
      const place = `block ${index + 1} of ${blocks.length}`;
      const what =
        fitting === undefined ? place : lost === 1 ? `an entry of ${place}` : `${lost} entries of ${place}`;
      const verb = fitting === undefined || lost === 1 ? 'is' : 'are';
      const story = `${what} ${verb} left out: all blocks together hold ${max} characters of text at most (limit \`message.text_total\`).`;
      noteLeftOut(run, { pointer: '', story, entries: lost });
    }
    return fitting === undefined ? [] : [fitting];
  });
  if (room.entries > 0) run.text = max - room.left;
  return kept;
};
