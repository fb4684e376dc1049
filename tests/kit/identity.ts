import { z } from 'zod';

/** What a session token says; the sandbox's identity provider believes all of it. */
export interface TokenOptions {
  subject: string;
  email?: string;
  /** Default: true where there is an address. */
  email_verified?: boolean;
  organization_id?: string;
  environment?: string;
  /** Seconds; an hour unless said otherwise. */
  expires_in?: number;
  /** Go before all others. */
  claims?: Record<string, unknown>;
}

const tokenAnswer = z.object({ access_token: z.string() });

/** The identity provider of the stack. */
export class IdentityProvider {
  readonly #url: string;
  readonly #secret: string;

  constructor(url: string, secret: string) {
    this.#url = url;
    this.#secret = secret;
  }

  /** Signs a session token. */
  async token(options: TokenOptions): Promise<string> {
    return tokenAnswer.parse(await this.#post('token', options)).access_token;
  }

  /** Signs with another key from now on; tokens of the one before stay good. */
  async rotate(): Promise<void> {
    await this.#post('rotate', { keep: true });
  }

  /** Ends every sign-in of a person, as a provider does that removes them. */
  async end(subject: string): Promise<void> {
    await this.#post('end', { subject });
  }

  async #post(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${this.#url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#secret}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`the identity provider refused: ${await response.text()}`);
    return response.json();
  }
}
