/** Scopes of the app in a workspace without a grant. */
const USUAL_SCOPES = [
  'channels:history',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'chat:write.public',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'mpim:history',
  'users:read',
  'users:read.email',
];

/**
 * The installations of the app. It is installed in every workspace from the start, with one token for each workspace,
 * as on the platform: a revocation affects all users of the token.
 */
export class Installations {
  readonly #revoked = new Set<string>();
  readonly #granted = new Map<string, readonly string[]>();

  /** Installs the app again with the requested scopes; its token is valid again. */
  install(workspace: string, scopes: readonly string[]): void {
    this.#revoked.delete(workspace);
    this.#granted.set(workspace, scopes);
  }

  /** Revokes the token of a workspace. */
  revoke(workspace: string): void {
    this.#revoked.add(workspace);
  }

  isRevoked(workspace: string): boolean {
    return this.#revoked.has(workspace);
  }

  /** The scopes of a workspace's token. */
  scopesOf(workspace: string): readonly string[] {
    return this.#granted.get(workspace) ?? USUAL_SCOPES;
  }
}
