import { type FileHandle, open } from 'node:fs/promises';

const lineBreak = 0x0a;

/** Whether the last line of the file is incomplete because its writer was terminated. */
const isBroken = async (file: FileHandle, size: number): Promise<boolean> => {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== lineBreak;
};

/** Appends lines to a file and returns once they are on disk. A pipe gets no check for an incomplete line. */
export const appendLines = async (path: string, lines: readonly string[]): Promise<void> => {
  const file = await open(path, 'a+', 0o600);
  try {
    const facts = await file.stat();
    const start = facts.isFile() && (await isBroken(file, facts.size)) ? '\n' : '';
    await file.appendFile(`${start}${lines.join('\n')}\n`);
    if (facts.isFile()) await file.datasync();
  } finally {
    await file.close();
  }
};
