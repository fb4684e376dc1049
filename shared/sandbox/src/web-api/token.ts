/** The app as it is installed in one workspace: who a token speaks for. */
export interface Caller {
  /** Id of the workspace, `T…`. */
  readonly workspace: string;
  /** The workspace's name as it stands in the token. */
  readonly workspaceName: string;
}

/** A caller, or the platform's error name for a token that is no good. */
export type Authentication =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly error: 'not_authed' | 'invalid_auth' | 'token_revoked' };

/** The user that the app posts as, in every workspace. */
export const BOT = { appId: 'A0STANZA', botId: 'B0STANZA', userId: 'U0STANZA', name: 'stanza' } as const;

const VALID = /^xoxb-sandbox-([A-Za-z0-9][A-Za-z0-9-]*)$/;

/**
 * Tells whom a token speaks for. `xoxb-sandbox-acme` is the app in workspace `TACME`, whatever the name;
 * tokens that begin with `xoxb-revoked` were valid once.
 */
export function authenticate(token: string | undefined): Authentication {
  if (token === undefined) return { ok: false, error: 'not_authed' };
  if (token.startsWith('xoxb-revoked')) return { ok: false, error: 'token_revoked' };
  const name = VALID.exec(token)?.[1];
  if (name === undefined) return { ok: false, error: 'invalid_auth' };
  return { ok: true, caller: { workspace: `T${name.toUpperCase()}`, workspaceName: name } };
}

/** The token of an `Authorization: Bearer …` header, if it holds one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
}
