/** Stanza from TypeScript. */

export type { BulkOutcome, BulkReply } from './bulk.ts';
export { Stanza } from './client.ts';
export { type AnyCode, type ClientCode, type ConnectionFault, type Issue, StanzaError } from './errors.ts';
export type * from './generated/types.ts';
export { version } from './generated/version.ts';
export type { List, ListPage } from './list.ts';
export type {
  Answer,
  Answered,
  CallOptions,
  Fetch,
  KeyedOptions,
  RequestNote,
  RetryNote,
  SourceOptions,
  StanzaOptions,
  StreamOptions,
} from './options.ts';
export type {
  BulkOf,
  CompileOf,
  DataOf,
  MessageOf,
  PreviewOf,
  TemplateKey,
  Templates,
} from './templates.ts';
export {
  type DigestPayload,
  type SignedRequest,
  type Verified,
  type VerifyOptions,
  verify,
} from './verify.ts';
