import { randomBytes } from 'node:crypto';
import { Newest } from './newest.ts';

/** The app that the sandbox knows, as it is entered at the platform. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a person has allowed the app, until the app asks for its token. */
export interface Grant {
  readonly code: string;
  readonly workspaceName: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  isUsed: boolean;
}

/** How long a code is good for, in milliseconds. */
const CODE_MS = 600_000;
const KEPT_GRANTS = 1_000;

/** The codes that were given to browsers; each gets one token, once. */
export class Grants {
  readonly app: OAuthApp;
  readonly #now: () => number;
  readonly #grants = new Newest<Grant>({ count: KEPT_GRANTS });

  /** `now` tells the time in milliseconds since 1970. */
  constructor(app: OAuthApp, now: () => number) {
    this.app = app;
    this.#now = now;
  }

  /** Makes a code for what was allowed. */
  add(allowed: Pick<Grant, 'workspaceName' | 'redirectUri' | 'scopes'>): string {
    const code = randomBytes(24).toString('hex');
    this.#grants.add({ ...allowed, code, expiresAt: this.#now() + CODE_MS, isUsed: false });
    return code;
  }

  /** Finds what a code was given for, unless it has expired. */
  find(code: string | undefined): Grant | undefined {
    const now = this.#now();
    return [...this.#grants.newestFirst()].find((grant) => grant.code === code && grant.expiresAt > now);
  }
}
