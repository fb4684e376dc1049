/** Test helpers of the engine for other packages. */

export { templateData } from './arbitraries.ts';
export { directive, resolvePointer, section } from './compile.ts';
export { type Payload, payloads } from './corpus.ts';
export { describeBlocks, tables } from './described.ts';
export { nativeMessages } from './native-messages.ts';
export { soundTemplate } from './template-arbitraries.ts';
