import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Colours that a picture with a palette can have. */
const paletteSize = 256;

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

const chunksOf = (png: Buffer): { type: string; data: Buffer }[] => {
  const found: { type: string; data: Buffer }[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
};

const paeth = (left: number, up: number, corner: number): number => {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
};

const predictions: ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
];

/** The bytes of a picture without the filters of its lines. */
const unfiltered = (raw: Buffer, height: number, channels: number): Buffer => {
  const stride = raw.length / height - 1;
  const pixels = Buffer.alloc(stride * height);
  const at = (line: number, column: number): number =>
    line < 0 || column < 0 ? 0 : (pixels[line * stride + column] ?? 0);
  for (let line = 0; line < height; line += 1) {
    const predict = predictions[raw[line * (stride + 1)] ?? 0] ?? (() => 0);
    for (let column = 0; column < stride; column += 1) {
      const back = column - channels;
      const guess = predict(at(line, back), at(line - 1, column), back < 0 ? 0 : at(line - 1, back));
      pixels[line * stride + column] = (raw[line * (stride + 1) + 1 + column] ?? 0) + guess;
    }
  }
  return pixels;
};

const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);

/** Colours nearer than this look the same. */
const sameWithin = 24;

const nearestIn = (palette: readonly number[], colour: number): number => {
  let best = 0;
  for (const [index, it] of palette.entries())
    if (distance(it, colour) < distance(palette[best] ?? 0, colour)) best = index;
  return best;
};

/** The most frequent colours, of those that look the same one. */
const paletteOf = (counts: ReadonlyMap<number, number>): number[] => {
  const palette: number[] = [];
  for (const [colour] of [...counts].sort(([, one], [, other]) => other - one)) {
    const isNew = palette.every((it) => distance(it, colour) > sameWithin);
    if (isNew) palette.push(colour);
    if (palette.length === paletteSize) break;
  }
  return palette;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Bytes of a pixel by the kind of a picture: colours, indexes of a palette, colours that may be transparent. */
const bytesOfPixel = new Map([
  [2, 3],
  [3, 1],
  [6, 4],
]);

/** The size of a picture, and its colours, line by line. */
export const pixelsOf = (png: Buffer): { width: number; height: number; colours: Uint32Array } => {
  const chunks = chunksOf(png);
  const partOf = (type: string): Buffer =>
    Buffer.concat(chunks.filter((it) => it.type === type).map(({ data }) => data));
  const header = partOf('IHDR');
  const [width, height, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] ?? 0];
  const bytes = bytesOfPixel.get(kind);
  if (bytes === undefined || header[8] !== 8) throw new Error('This is no picture that a browser takes.');
  const pixels = unfiltered(inflateSync(partOf('IDAT')), height, bytes);
  const palette = partOf('PLTE');
  const colourAt = (at: number): number =>
    bytes === 1 ? palette.readUIntBE((pixels[at] ?? 0) * 3, 3) : pixels.readUIntBE(at * bytes, 3);
  return { width, height, colours: Uint32Array.from({ length: width * height }, (_, at) => colourAt(at)) };
};

/**
 * Makes an opaque screenshot a third of its size: with 256 colours and the nearest of them for the others, which are
 * those of smoothed edges.
 */
export const withPalette = (png: Buffer): Buffer => {
  const { width, height, colours } = pixelsOf(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = paletteOf(counts);
  const indexes = new Map(palette.map((colour, index) => [colour, index]));
  const lines = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of colours.entries()) {
    const index = indexes.get(colour) ?? nearestIn(palette, colour);
    indexes.set(colour, index);
    lines[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const table = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) table.writeUIntBE(colour, index * 3, 3);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
