import type { encryptedKinds } from '@stanza/contracts';
import type { EncryptedToken } from '@stanza/runtime';
import { type Queryable, type Statement, statement, Tenant } from '@stanza/runtime';

/** The kinds of stored secrets. */
export type EncryptedKind = (typeof encryptedKinds)[number];

interface EncryptedColumn {
  organization_id: string;
  environment: Tenant['environment'];
  id: string;
  ciphertext: Buffer;
  key_id: string;
}

/** A stored secret and its location. */
export interface StoredSecret {
  tenant: Tenant;
  id: string;
  encrypted: EncryptedToken;
}

interface Statements {
  next: Statement<EncryptedColumn>;
  replace: Statement<{ id: string }>;
}

const columnsOf = (kind: EncryptedKind, table: string, prefix: string): Statements => ({
  next: statement(
    `encrypted-next-${kind}`,
    `select organization_id, environment, id, ${prefix}_ciphertext as ciphertext, ${prefix}_key_id as key_id
     from ${table}
     where ${prefix}_key_id is not null
       and (organization_id, environment, id) > ($1::uuid, $2::text, $3::uuid)
     order by organization_id, environment, id
     limit $4`,
  ),
  replace: statement(
    `encrypted-replace-${kind}`,
    `update ${table}
     set ${prefix}_ciphertext = $6,
         ${prefix}_key_id = $7
     where organization_id = $1
       and environment = $2
       and id = $3
       and ${prefix}_ciphertext = $4
       and ${prefix}_key_id = $5
     returning id`,
  ),
});

const statements: Record<EncryptedKind, Statements> = {
  chat_token: columnsOf('chat_token', 'chat_connections', 'token'),
  destination_headers: columnsOf('destination_headers', 'destinations', 'headers'),
  signing_secret: columnsOf('signing_secret', 'destinations', 'secret'),
  previous_signing_secret: columnsOf('previous_signing_secret', 'destinations', 'previous_secret'),
};

const nil = '00000000-0000-0000-0000-000000000000';

/** The next secrets, of all tenants; for the operator's rotation. */
export const listSecrets = async (
  db: Queryable,
  kind: EncryptedKind,
  after: StoredSecret | undefined,
  limit: number,
): Promise<StoredSecret[]> => {
  const { organizationId = nil, environment = '' } = after?.tenant ?? {};
  const values = [organizationId, environment, after?.id ?? nil, limit];
  const rows = await db.query(statements[kind].next, values);
  return rows.map(({ organization_id, environment: of, id, ciphertext, key_id }) => ({
    tenant: new Tenant(organization_id, of),
    id,
    encrypted: { ciphertext, keyId: key_id },
  }));
};

/**
 * Stores a re-encrypted secret; false when it was changed in the meantime, in which case it has the newest key anyway.
 */
export const replaceSecret = async (
  tenant: Tenant,
  db: Queryable,
  kind: EncryptedKind,
  { id, encrypted }: Pick<StoredSecret, 'id' | 'encrypted'>,
  renewed: EncryptedToken,
): Promise<boolean> => {
  const rows = await db.query(statements[kind].replace, [
    tenant.organizationId,
    tenant.environment,
    id,
    encrypted.ciphertext,
    encrypted.keyId,
    renewed.ciphertext,
    renewed.keyId,
  ]);
  return rows.length > 0;
};
