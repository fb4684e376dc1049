/**
 * SQL of the filters of messages that the list and the stream have in common, as the parameters 6 to 13 of a statement;
 * one that is null filters nothing. A template may be named twice, by its id and by its key.
 * Changes of messages are no messages of their own.
 */
export const messageFilters = `($6::text is null or status = $6)
       and ($7::uuid is null or template_id = $7)
       and ($8::uuid is null or template_id = $8)
       and ($9::uuid is null or version_id = $9)
       and ($10::text is null or channel_id = $10 or channel = $10)
       and ($11::text is null or recipient_chat_id = $11 or lower(recipient_email) = lower($11))
       and ($12::text is null or origin = $12)
       and ($13::boolean is null or test = $13)
       and revises is null`;
