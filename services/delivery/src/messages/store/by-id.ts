/** SQL expressions of a tenant and of the id of one of its messages. */
export interface MessageKey {
  organization: string;
  environment: string;
  id: string;
}

/**
 * SQL of the condition that a row of messages is that of a key. Where Postgres has no statistics of the last minutes, as
 * under load, it takes the tenant for as narrow as the id, and may read all messages of one by any index that begins with
 * it. The tenant is asked as a case, from which it cannot conclude that such an index would do.
 */
export const isMessage = (message: string, { organization, environment, id }: MessageKey): string =>
  `${message}.id = ${id}
     and case
       when ${message}.organization_id = ${organization} and ${message}.environment = ${environment} then true
       else false
     end`;

/** The key of a row that has the columns of a tenant and `id`. */
export const keyOf = (row: string): MessageKey => ({
  organization: `${row}.organization_id`,
  environment: `${row}.environment`,
  id: `${row}.id`,
});
