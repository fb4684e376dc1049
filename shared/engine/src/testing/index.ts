/** Test helpers of the engine for other packages. */

export { directive, resolvePointer, section } from './compile.ts';
export { describeBlocks, tables } from './described.ts';
export { nativeMessages } from './native-messages.ts';
