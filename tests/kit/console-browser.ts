/**
 * A browser at the console as far as HTTP goes: it keeps cookies, follows no redirect by itself, and sends what pages
 * of the console send.
 */
export class ConsoleBrowser {
  readonly base: string;
  readonly cookies = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  /** Opens an address by a link, on the console or elsewhere; cookies go to the console alone. */
  async open(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, this.base);
    const headers = new Headers(init.headers);
    if (url.href.startsWith(this.base) && this.cookies.size > 0) {
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  /** Sends a request as a page of the console does. */
  call(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('x-stanza-console', '1');
    headers.set('sec-fetch-site', 'same-origin');
    return this.open(path, { ...init, headers });
  }

  /**
   * Begins to sign in; returns where the provider leads back to after the given person was chosen.
   * @param change what someone on the way does to the request at the provider
   */
  async chooseAtProvider(
    subject: string,
    returnTo = '/console/',
    change: (fields: URLSearchParams) => void = () => undefined,
  ): Promise<URL> {
    const begun = await this.open(`/console/auth/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
    const asked = new URL(begun.headers.get('location') ?? '');
    const fields = new URLSearchParams(asked.searchParams);
    fields.set('subject', subject);
    change(fields);
    const chosen = await this.open(`${asked.origin}${asked.pathname}`, { method: 'POST', body: fields });
    return new URL(chosen.headers.get('location') ?? '');
  }

  /** Signs a person in; returns the answer that sets the session's cookie. */
  async signIn(subject: string, returnTo?: string): Promise<Response> {
    return this.open((await this.chooseAtProvider(subject, returnTo)).href);
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
