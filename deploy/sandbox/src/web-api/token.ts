import type { Installations } from '../world/installations.ts';

/** The app as installed in one workspace: the caller of a token. */
export interface Caller {
  /** Id of the workspace, `T…`. */
  readonly workspace: string;
  /** The workspace's name in the token. */
  readonly workspaceName: string;
}

/** A caller, or the platform's error name for an invalid token. */
export type Authentication =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly error: 'not_authed' | 'invalid_auth' | 'token_revoked' };

/** The user that the app posts as, in every workspace. */
export const BOT = { appId: 'A0STANZA', botId: 'B0STANZA', userId: 'U0STANZA', name: 'stanza' } as const;

const VALID = /^xoxb-sandbox-([A-Za-z0-9][A-Za-z0-9-]*)$/;

/** The id of the workspace with a name. */
export function workspaceOf(name: string): string {
  return `T${name.toUpperCase()}`;
}

/** The token of the app in the workspace with a name. */
export function tokenFor(name: string): string {
  return `xoxb-sandbox-${name}`;
}

/**
 * Finds the caller of a token. `xoxb-sandbox-acme` is the app in workspace `TACME`, for any name. Tokens that begin
 * with `xoxb-revoked`, and those of revoked installations, are refused as revoked.
 */
export function authenticate(token: string | undefined, installations: Installations): Authentication {
  if (token === undefined) return { ok: false, error: 'not_authed' };
  if (token.startsWith('xoxb-revoked')) return { ok: false, error: 'token_revoked' };
  const name = VALID.exec(token)?.[1];
  if (name === undefined) return { ok: false, error: 'invalid_auth' };
  const workspace = workspaceOf(name);
  if (installations.isRevoked(workspace)) return { ok: false, error: 'token_revoked' };
  return { ok: true, caller: { workspace, workspaceName: name } };
}

/** The token of an `Authorization: Bearer …` header, if it holds one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
}
