import { ApiError } from '../api/request.ts';
import { isList, isObject, readJson } from '../json.ts';

/** What came of a call, a message or a delivery, by the word of the platform or of the API for it. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['ok', 'done'],
  ['channel_not_found', 'there is no such channel, or the app is not in it'],
  ['not_in_channel', 'the app is not in the channel; a member of the channel adds it there with /invite'],
  ['is_archived', 'the channel is archived'],
  ['users_not_found', 'nobody in the workspace has this address'],
  ['user_not_found', 'nobody in the workspace has this id'],
  ['message_not_found', 'the message is no longer in its channel'],
  ['cant_update_message', 'the platform does not let the app change this message'],
  ['cant_delete_message', 'the platform does not let the app delete this message'],
  ['edit_window_closed', 'the workspace no longer allows the message to be changed'],
  ['ratelimited', 'the platform asked to wait'],
  ['invalid_auth', 'the platform refuses the token; connect the workspace again'],
  ['token_revoked', 'the token was revoked; connect the workspace again'],
  ['account_inactive', 'the workspace or the app is no longer active'],
  ['missing_scope', 'the token does not allow it; connect the workspace again'],
  ['invalid_blocks', 'the platform does not take the blocks'],
  ['invalid_destination', 'the app may not post there'],
  ['chat_user_not_found', 'nobody in the workspace is meant by the recipient'],
  ['chat_not_connected', 'no workspace is connected'],
  ['insufficient_credits', 'there are no credits left'],
  ['compilation_failed', 'the template cannot be made into a message'],
  ['invalid_data', 'the data does not fit the template'],
  ['no_blocks_to_send', 'every block came out empty, so there was nothing to send'],
  ['template_not_found', 'the template is gone'],
  ['version_not_found', 'no version of the template is live'],
  ['destination_failed', 'the destination did not take it'],
  ['access_denied', 'the organization may not send now'],
  ['service_unavailable', 'a part of the service was away'],
  ['invalid_state', 'that is not possible any more'],
  ['msg_too_long', 'the message is too long for the platform'],
  ['address_refused', 'the service may not call this address'],
  ['redirect', 'it answered with another address, which is not followed'],
  ['timeout', 'no answer came in time'],
  ['econnrefused', 'nothing answers at this address'],
  ['enotfound', 'no host has this name'],
  ['econnreset', 'the connection broke off'],
  ['abandoned', 'a part of the service ended while it was under way'],
]);

const bareOf = (word: string): string => word.replace(/^"(.*)"$/, '$1');

/** What a word of the platform means, as a sentence without its full stop; undefined for one that is not known. */
export const knownReason = (word: unknown): string | undefined =>
  typeof word === 'string' ? reasons.get(bareOf(word)) : undefined;

/** A word of the platform as a sentence; one that is not known is shown as words, and a sentence as it is. */
export const reasonOf = (word: string): string => {
  const bare = bareOf(word);
  return knownReason(word) ?? (/^[a-z_]+$/.test(bare) ? bare.replaceAll('_', ' ') : bare);
};

/** The problems of blocks that were refused, each a sentence. */
export const problemsIn = (details: unknown): string[] => {
  const read = readJson(typeof details === 'string' ? details : '[]');
  if (read.problem !== undefined || !Array.isArray(read.value)) return [];
  return read.value.flatMap((it: unknown) =>
    isObject(it) && typeof it.message === 'string' ? [it.message] : [],
  );
};

const textsIn = (value: unknown): string[] =>
  isList(value) ? value.filter((it) => typeof it === 'string') : [];

/** What a person lacks for what was refused, and what they can do about it; undefined for another kind of refusal. */
export const refusalOf = (error: Error): string | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  const needed = textsIn(error.body.required_scopes);
  if (error.code === 'insufficient_scope') {
    return `It takes the scope ${needed.join(', ')}, which your role or key does not have. Ask an admin of the organization.`;
  }
  // Who has no membership is told which scope it would take; other refusals of the kind say what they are about.
  const isOutside = error.code === 'access_denied' && needed.length > 0;
  return isOutside && textsIn(error.body.user_scopes).length === 0
    ? 'You are not a member of this organization any more. Ask an admin of it for an invitation.'
    : undefined;
};
