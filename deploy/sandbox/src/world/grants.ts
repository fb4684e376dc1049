import { randomBytes } from 'node:crypto';
import { Newest } from './newest.ts';

/** The app of the sandbox, as registered at the platform. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A person's grant, until the app exchanges its code for the token. */
export interface Grant {
  readonly code: string;
  readonly workspaceName: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  isUsed: boolean;
}

/** Lifetime of a code, milliseconds. */
const CODE_MS = 600_000;
const KEPT_GRANTS = 1_000;

/** The codes given to browsers; each is exchanged once. */
export class Grants {
  readonly app: OAuthApp;
  readonly #now: () => number;
  readonly #grants = new Newest<Grant>({ count: KEPT_GRANTS });

  /** `now` returns the time in milliseconds since 1970. */
  constructor(app: OAuthApp, now: () => number) {
    this.app = app;
    this.#now = now;
  }

  /** Creates a code for a grant. */
  add(allowed: Pick<Grant, 'workspaceName' | 'redirectUri' | 'scopes'>): string {
    const code = randomBytes(24).toString('hex');
    this.#grants.add({ ...allowed, code, expiresAt: this.#now() + CODE_MS, isUsed: false });
    return code;
  }

  /** Finds the grant of a code, unless it has expired. */
  find(code: string | undefined): Grant | undefined {
    const now = this.#now();
    return [...this.#grants.newestFirst()].find((grant) => grant.code === code && grant.expiresAt > now);
  }
}
