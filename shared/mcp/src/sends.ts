import { type Scope, key as templateKey } from '@stanza/contracts';
import { type Stanza, StanzaError, type Template } from '@stanza/sdk';
import { z } from 'zod';
import { tokensOf } from './answers.ts';
import { counted, firstOf } from './counted.ts';
import { inputOf, whole } from './inputs.ts';
import { type JsonSchema, plainSchema } from './plain-schema.ts';
import { type OfferedTool, offered, tool } from './tool.ts';

/** What a caller needs to be offered a tool that sends a template. */
export const sendScopes: readonly Scope[] = ['templates:read', 'messages:create'];

/** The beginning of the name of such a tool; the key of its template follows. */
export const sendPrefix = 'send_';

/** Tools that a list shows at the most. */
export const maxTools = 16;

/** Tokens that a list takes at the most. */
export const listTokens = 6_000;

/** Tokens of the schema of one template's data; a longer one is left open. */
const schemaTokens = 600;

/** Templates that are looked at for one list. */
const looked = 50;

const input = inputOf({
  data: z.record(z.string(), z.unknown()).describe('the values that the template reads'),
  channel_id: z.string().min(1).optional().describe('one of channel_id, recipient_email, recipient_chat_id'),
  recipient_email: z.string().min(1).optional().describe('a person, by e-mail address'),
  recipient_chat_id: z.string().min(1).optional().describe('a person, by chat id'),
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .describe('your name for this message; the same name again sends nothing new'),
  whole,
});

type Send = z.output<typeof input>;

const destinationOf = ({ channel_id, recipient_email, recipient_chat_id }: Send) => {
  const given = [
    ...(channel_id === undefined ? [] : [{ channel_id }]),
    ...(recipient_email === undefined ? [] : [{ recipient_email }]),
    ...(recipient_chat_id === undefined ? [] : [{ recipient_chat_id }]),
  ];
  const [destination] = given;
  if (destination !== undefined && given.length === 1) return destination;
  throw new StanzaError({
    code: 'validation_failed',
    text: 'Give exactly one of channel_id, recipient_email and recipient_chat_id. Nothing was sent.',
    operation: 'templates.send',
  });
};

const declared = (key: string) =>
  tool({
    name: `${sendPrefix}${key}`,
    title: 'Send a message of this template',
    description:
      'Sends the live version of the template of this key: a real message, which costs one credit. An admin has switched this on.',
    scopes: sendScopes,
    changes: true,
    repeatable: true,
    reachesOutside: true,
    input,
    output: {
      message_id: 'string',
      replayed: 'boolean',
    },
    run: async (stanza, send) => {
      const sent = await stanza.templates.send(
        { template_key: key, data: send.data, strict: true, ...destinationOf(send) },
        { idempotencyKey: send.idempotency_key },
      );
      const { message_id, channel, message_ts, version_number, warnings, remaining_credits } = sent;
      const { replayed } = sent.$answer;
      const facts = { message_id, channel, message_ts, version_number, remaining_credits, replayed };
      return {
        sentence: replayed
          ? 'A message of this name was sent before; nothing new was sent.'
          : `Version ${version_number} was sent, with ${counted(warnings.length, 'warning')}.`,
        content: { ...facts, warnings },
        outline: { ...facts, warnings: firstOf(warnings) },
      };
    },
  });

/** The tool that sends a template; what its data must be is for the agent, and checked by the API. */
const sendTool = (key: string, data: JsonSchema): OfferedTool => {
  const one = offered(declared(key));
  const { properties, ...rest }: JsonSchema = z.toJSONSchema(input, { io: 'input' });
  const schema = { ...rest, properties: { ...Object(properties), data } };
  return {
    ...one,
    input: {
      '~standard': {
        ...input['~standard'],
        jsonSchema: { input: () => schema, output: () => schema },
      },
    },
  };
};

const open: JsonSchema = { type: 'object', description: 'the tool "read" shows what the template takes' };

const listedSchema = (schema: JsonSchema): JsonSchema =>
  plainSchema(schema).find((it) => tokensOf(JSON.stringify(it)) <= schemaTokens) ?? open;

/** Errors of a template that has gone, or is not live any more, since it was listed. */
const gone: readonly string[] = ['template_not_found', 'version_not_found', 'compilation_failed'];

const toolOf = async (stanza: Stanza, { id, key }: Template): Promise<OfferedTool[]> => {
  try {
    const { json_schema } = await stanza.templates.inputSchema.get(id);
    return [sendTool(key, listedSchema(json_schema))];
  } catch (error) {
    if (error instanceof StanzaError && gone.includes(error.code)) return [];
    throw error;
  }
};

/**
 * Templates that an admin has switched on, live ones alone, the oldest first: a new one changes no place of another.
 */
const switchedOn = async (stanza: Stanza, more: { key?: string } = {}): Promise<Template[]> => {
  const query = {
    agent_sends: 'true',
    lifecycle: 'active',
    sort: 'created_at',
    limit: looked,
    ...more,
  } as const;
  const { data } = await stanza.templates.list(query).page();
  return data.filter(({ current_version_id }) => current_version_id !== null);
};

/** Whether a caller may be offered tools that send. */
export const maySend = (scopes: readonly string[]): boolean =>
  sendScopes.every((scope) => scopes.includes(scope));

/** The tool of a name that sends a template; none where no admin has switched it on, or it is not live. */
export const sendToolNamed = async (stanza: Stanza, name: string): Promise<OfferedTool[]> => {
  const key = templateKey.safeParse(name.slice(sendPrefix.length));
  if (!key.success) return [];
  const [template] = await switchedOn(stanza, { key: key.data });
  return template === undefined ? [] : toolOf(stanza, template);
};

/**
 * The tools that send, as many as a list has room for next to others. A tool that is not listed for want of room can be
 * called all the same.
 */
export const listedSendTools = async (
  stanza: Stanza,
  beside: { tools: number; tokens: number },
  tokensOfTool: (one: OfferedTool) => number,
): Promise<OfferedTool[]> => {
  const templates = (await switchedOn(stanza)).slice(0, Math.max(0, maxTools - beside.tools));
  const found = (await Promise.all(templates.map((template) => toolOf(stanza, template)))).flat();
  let left = listTokens - beside.tokens;
  return found.filter((one) => {
    const tokens = tokensOfTool(one);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
};
