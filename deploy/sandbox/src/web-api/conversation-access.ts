import { type Conversation, findConversation } from '../world/directory.ts';
import { type Arguments, textArgument } from './arguments.ts';
import { type Refusal, refuse } from './method.ts';

/** A conversation that the bot may use, or why not. */
export type Access =
  | { readonly ok: true; readonly conversation: Conversation }
  | { readonly ok: false; readonly refusal: Refusal };

/** The conversation of the argument `channel`, if the bot is a member. */
export function accessConversation(args: Arguments): Access {
  const conversation = findConversation(textArgument(args, 'channel') ?? '');
  if (conversation === undefined) return { ok: false, refusal: refuse('channel_not_found') };
  if (!conversation.botIsMember) return { ok: false, refusal: refuse('not_in_channel') };
  return { ok: true, conversation };
}
