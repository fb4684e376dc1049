import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Random bytes of one id. */
const idBytes = 16;
const pool = Buffer.alloc(256 * idBytes);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/** Random bytes are drawn in blocks: one system call for each id took a quarter of the time of an RPC call. */
const randomBytes = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.subarray(used - idBytes, used);
};

/** A new id: uuid v7. Ids of one process sort by creation. */
export const newId = (): string => {
  const random = randomBytes();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // Half of the 32 bits are left to count up within the millisecond.
    sequence = random.readUInt32BE(6) >>> 1;
  } else sequence++;
  return uuidv7({ random, msecs: lastMs, seq: sequence });
};

/** The moment at which an id was made, by the clock of its process. */
export const madeAt = (id: string): Date =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

const noBytes = new Uint8Array(idBytes);

/** The lowest id of a moment: earlier ids sort before it. */
export const firstIdOf = (moment: Date): string =>
  uuidv7({ random: noBytes, msecs: moment.getTime(), seq: 0 });
