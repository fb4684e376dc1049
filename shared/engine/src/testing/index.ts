/** Test helpers of the engine for other packages. */

export { catalogue } from '../blocks/catalogue.ts';
export { markedText, templateData, withoutDirections } from './arbitraries.ts';
export { compile, directive, resolvePointer, section } from './compile.ts';
export { type Payload, payloads } from './corpus.ts';
export { describeBlocks } from './described.ts';
export { nativeMessages } from './native-messages.ts';
export { soundTemplate } from './template-arbitraries.ts';
