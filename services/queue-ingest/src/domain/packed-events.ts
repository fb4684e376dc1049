import { packTexts, unpackEvents } from '@stanza/runtime';

/** Those of packed events that are at these places, packed. */
export const packedAt = (packed: Buffer, places: readonly number[]): Buffer => {
  const events = unpackEvents(packed);
  return packTexts(places.map((at) => JSON.stringify(events[at])));
};

/** Digits of an id that count the events of a push. */
const countedDigits = 2;

const stemOf = (id: string): string => id.slice(0, -countedDigits);

/** The id of the first event of a push, from which those of the others derive. */
export const firstEventId = (id: string): string => `${stemOf(id)}00`;

/**
 * The id of an event of a push, by its place from 0 among those that the push adds; at 0 the first id itself, whatever it
 * is. A row that holds a whole push names them all by one id.
 */
export const eventIdAt = (firstId: string, at: number): string =>
  at === 0 ? firstId : `${stemOf(firstId)}${at.toString(16).padStart(countedDigits, '0')}`;
