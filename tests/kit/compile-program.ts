import { execFile } from 'node:child_process';
import { join } from 'node:path';

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** What a compiler is called with. */
export interface CompileOptions {
  /** The folder of the program. */
  folder: string;
  files: readonly string[];
  /** Where it writes JavaScript; nowhere unless it is given. */
  outDir?: string;
  /** More words for it. */
  flags?: readonly string[];
}

/** Compiles a program as strictly as the compiler can. @returns what it complains of, each with its reasons */
export const compileProgram = ({ folder, files, outDir, flags = [] }: CompileOptions): Promise<string[]> =>
  new Promise((resolve) => {
    const usual = ['--strict', '--target', 'es2024', '--module', 'nodenext', '--pretty', 'false'];
    const output = outDir === undefined ? ['--noEmit'] : ['--outDir', outDir];
    const words = [compiler, ...usual, ...output, ...flags, ...files];
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 2 ** 26 }, (_, text) => {
      resolve(text.split(/\n(?! )/).filter((line) => /\berror TS\d+/.test(line)));
    });
  });
