import type {
  CompileTemplateBody,
  PreviewTemplateBody,
  SendBulkBody,
  SendTemplateBody,
} from './generated/types.ts';

/**
 * The templates that can be sent, each with its data. The module that `stanza types` writes declares them; without it
 * every key is accepted, with data of any shape.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the module that is written declares what is in it
export interface Templates {}

/** The key of a template. */
export type TemplateKey = [keyof Templates] extends [never] ? string : keyof Templates & string;

/** The data that a template reads. */
export type DataOf<Key extends string> = Key extends keyof Templates
  ? Templates[Key]
  : Record<string, unknown>;

/** Data may be left out where none is required. */
type WithData<Data> = Record<never, never> extends Data ? { data?: Data } : { data: Data };

/** What names the template in a body, and its data: the rest is said next to them. */
type Named = 'template_id' | 'template_key' | 'data';

/** Leaves keys out of every form that a type has. */
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** A message to be sent by a template. */
export type MessageOf<Key extends string> = WithData<DataOf<Key>> & Without<SendTemplateBody, Named>;

/** A message to be sent to many. */
export type BulkOf<Key extends string> = WithData<DataOf<Key>> & Without<SendBulkBody, Named>;

/** What a template is compiled with. */
export type CompileOf<Key extends string> = WithData<DataOf<Key>> & Without<CompileTemplateBody, Named>;

/** What a template is looked at with; it takes the saved sample where no data is given. */
export type PreviewOf<Key extends string> = { data?: DataOf<Key> } & Without<
  PreviewTemplateBody,
  Named | 'blocks'
>;
