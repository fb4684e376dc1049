import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Scope } from '@stanza/contracts';
import type { Stanza } from '@stanza/sdk';
import type { z } from 'zod';
import type { Content, Output } from './output.ts';

/** What a tool answers. */
export interface ToolAnswer<O extends Output = Output> {
  /** One or two sentences of this package alone: no text of a template, of data or of a message stands in it. */
  sentence: string;
  /** Everything, as JSON. Its texts belong to the organization, and are marked as content. */
  content: Content<O>;
  /** Set where the same call would do once more what this one has done. */
  isDoneAgain?: boolean;
  /** Set where nothing in it was written by the organization, as in the documentation. */
  isOurs?: boolean;
  /** What is answered in place of `content` where that is too long and was not asked for whole. */
  outline?: Content<O>;
  /** The message that a view of the host draws; the agent does not read it. */
  message?: Record<string, unknown>;
}

/** A tool: what it is for, who may use it, and what it does over the API. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, O extends Output = Output> {
  name: string;
  title: string;
  /** For the agent: what it does, and when to use it. Fixed, so that no text of an organization reaches it. */
  description: string;
  /** All of these are needed; a caller without them does not see the tool. */
  scopes: readonly Scope[];
  /** Whether it changes anything; what it changes is a draft or a version that is not live, and nothing is lost. */
  changes: boolean;
  /** Set for what changes something once, however often it is called with the same input. */
  repeatable?: true;
  /** Set for what reaches people outside, as a test send does. */
  reachesOutside?: true;
  /** The address of the page that a host shows next to the result. */
  view?: string;
  input: Input;
  output: O;
  run: (stanza: Stanza, input: z.output<Input>) => Promise<ToolAnswer<O>>;
}

/** A tool whose input the list of tools need not know. */
export interface AnyTool extends Omit<Tool, 'run' | 'input'> {
  input: z.ZodObject;
  /** Runs it with an input that fits its schema. */
  serve: (stanza: Stanza, input: unknown) => Promise<ToolAnswer>;
}

/** Declares a tool. */
export const tool = <Input extends z.ZodObject, const O extends Output>({
  run,
  ...declared
}: Tool<Input, O>): AnyTool => ({
  ...declared,
  serve: (stanza, input) => run(stanza, declared.input.parse(input)),
});

/** A tool as a list shows it; the schema of its input need not be of zod. */
export interface OfferedTool extends Omit<AnyTool, 'input'> {
  input: StandardSchemaWithJSON;
}

/** A tool without what is known of its input. */
export const offered = (one: AnyTool): OfferedTool => one;

/** Problems of an input that are told, and letters of each: a refusal is no longer than a result may be. */
const told = { problems: 10, letters: 300 };

/**
 * A schema without what says nothing: a list of tools has room for few words, and this dialect is the protocol's own.
 */
const short = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(short);
  if (typeof schema !== 'object' || schema === null) return schema;
  const said = Object.entries(schema).filter(
    ([name, value]) => name !== '$schema' && !(name === 'additionalProperties' && isEmpty(value)),
  );
  return Object.fromEntries(said.map(([name, value]) => [name, short(value)]));
};

const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}';

/** What is wrong with an argument. Where the library names its type alone, what it stands for follows. */
const explained = (
  { message, path = [] }: { message: string; path?: readonly unknown[] | undefined },
  { jsonSchema }: StandardSchemaWithJSON['~standard'],
): string => {
  const [name] = path;
  if (path.length !== 1 || typeof name !== 'string' || !message.startsWith('Invalid input: ')) return message;
  const { [name]: argument } = Object(jsonSchema.input({ target: 'draft-2020-12' }).properties);
  const { description } = Object(argument);
  const wrong = message.endsWith('received undefined') ? 'is required' : message;
  return typeof description === 'string' ? `${wrong}: ${description}` : wrong;
};

/** The input of a tool, of whose problems the first are told. */
export const checkedInput = ({ input }: OfferedTool): StandardSchemaWithJSON => {
  const standard = input['~standard'];
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        ...standard.jsonSchema,
        input: (options) => Object(short(standard.jsonSchema.input(options))),
      },
      validate: async (value) => {
        const checked = await standard.validate(value);
        if (!checked.issues) return checked;
        const issues = checked.issues
          .slice(0, told.problems)
          .map((it) => ({ ...it, message: explained(it, standard).slice(0, told.letters) }));
        return { issues };
      },
    },
  };
};

/** What a list says of a tool besides its name and the schema of its input. */
export const announcement = (one: OfferedTool) => ({
  title: one.title,
  description: one.description,
  ...(one.view !== undefined && { _meta: { ui: { resourceUri: one.view } } }),
  annotations: {
    readOnlyHint: !one.changes,
    destructiveHint: false,
    idempotentHint: !one.changes || one.repeatable === true,
    openWorldHint: one.reachesOutside === true,
  },
});
