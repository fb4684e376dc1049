import type { Conversation } from '../world/directory.ts';

/** A conversation as the platform's conversation methods present it. */
export function conversationReply(conversation: Conversation): Record<string, unknown> {
  const { id, name, user, botIsMember, isArchived } = conversation;
  if (user !== undefined) return { id, is_im: true, is_archived: isArchived, is_open: true, user: user.id };
  return { id, name, is_channel: true, is_im: false, is_member: botIsMember, is_archived: isArchived };
}
