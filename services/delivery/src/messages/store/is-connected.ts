/**
 * The condition that the environment of a message is connected to the workspace of the message. It is part of the statement
 * that begins a post or a change: what was compiled and charged may have waited long for its turn. As a value, for as a
 * join it makes Postgres read all open messages of an organization where it plans without statistics.
 */
export const isConnected = (message: string): string => `${message}.workspace_id = (
       select connection.workspace_id
       from chat_connections as connection
       where connection.organization_id = ${message}.organization_id
         and connection.environment = ${message}.environment
         and connection.revoked_at is null)`;
