import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds for which a code can be exchanged. */
const codeLifeMs = 60_000;

/** A sign-in that a person has confirmed. */
export interface SignIn {
  readonly clientId: string;
  readonly subject: string;
  readonly nonce: string | undefined;
}

interface PendingCode extends SignIn {
  readonly redirectUri: string;
  /** The S256 challenge of PKCE. */
  readonly challenge: string;
  readonly at: number;
}

const random = (): string => randomBytes(32).toString('base64url');

/** The codes and refresh tokens of the identity provider. Each works once; they end with the process. */
export class SignIns {
  readonly #now: () => number;
  readonly #codes = new Map<string, PendingCode>();
  readonly #refresh = new Map<string, SignIn>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A code for a confirmed sign-in. */
  code(pending: Omit<PendingCode, 'at'>): string {
    const code = random();
    this.#codes.set(code, { ...pending, at: this.#now() });
    return code;
  }

  /** Exchanges a code; undefined when it is unknown, used, too old, or proven wrongly. */
  exchange(
    code: string,
    shown: { clientId: string; redirectUri: string; verifier: string },
  ): SignIn | undefined {
    const pending = this.#codes.get(code);
    this.#codes.delete(code);
    if (pending === undefined || this.#now() - pending.at > codeLifeMs) return undefined;
    const challenge = createHash('sha256').update(shown.verifier).digest('base64url');
    const isProven =
      pending.clientId === shown.clientId &&
      pending.redirectUri === shown.redirectUri &&
      pending.challenge === challenge;
    return isProven ? pending : undefined;
  }

  /** A token with which the sign-in can be renewed once. */
  refreshToken(signIn: SignIn): string {
    const token = random();
    this.#refresh.set(token, { ...signIn, nonce: undefined });
    return token;
  }

  /** Takes a refresh token; undefined when it is unknown, used, or its person was removed. */
  renew(token: string, clientId: string): SignIn | undefined {
    const signIn = this.#refresh.get(token);
    if (signIn === undefined || signIn.clientId !== clientId) return undefined;
    this.#refresh.delete(token);
    return signIn;
  }

  /** Ends every sign-in of a person, as a provider does that removes them. */
  end(subject: string): number {
    const ended = [...this.#refresh].filter(([, signIn]) => signIn.subject === subject);
    for (const [token] of ended) this.#refresh.delete(token);
    return ended.length;
  }
}
