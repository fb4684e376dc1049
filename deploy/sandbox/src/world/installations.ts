/** What the app may do in a workspace where nothing else was granted. */
const USUAL_SCOPES = [
  'channels:history',
  'chat:write',
  'chat:write.customize',
  'chat:write.public',
  'groups:history',
  'im:history',
  'im:write',
  'mpim:history',
  'users:read',
  'users:read.email',
];

/**
 * How the app stands in each workspace. It counts as installed everywhere from the start, and has one token for each
 * workspace, as the platform gives an app: whoever revokes it takes it from all who use it.
 */
export class Installations {
  readonly #revoked = new Set<string>();
  readonly #granted = new Map<string, readonly string[]>();

  /** Installs the app anew, with the scopes that were asked for; its token is good again. */
  install(workspace: string, scopes: readonly string[]): void {
    this.#revoked.delete(workspace);
    this.#granted.set(workspace, scopes);
  }

  /** From now on the token of a workspace is refused. */
  revoke(workspace: string): void {
    this.#revoked.add(workspace);
  }

  isRevoked(workspace: string): boolean {
    return this.#revoked.has(workspace);
  }

  /** What the token of a workspace allows. */
  scopesOf(workspace: string): readonly string[] {
    return this.#granted.get(workspace) ?? USUAL_SCOPES;
  }
}
