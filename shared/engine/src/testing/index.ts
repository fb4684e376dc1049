/** What tests of other packages use of the engine's own. */

export { directive, resolvePointer, section } from './compile.ts';
export { describeBlocks, tables } from './described.ts';
export { nativeMessages } from './native-messages.ts';
