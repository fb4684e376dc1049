/** What a person saw in a browser. */
export interface SeenPage {
  status: number;
  headers: Headers;
  html: string;
}

const browse = async (address: string, method: 'GET' | 'POST' = 'GET'): Promise<SeenPage> => {
  const headers = { accept: 'text/html,application/xhtml+xml' };
  const response = await fetch(address, { method, headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

/** A person at the platform's screen and on the pages that follow, without a browser. */
export class Installer {
  /** Decides on the screen; answers where the browser is sent then. */
  async decide(address: string, workspace: string, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
    const screen = new URL(address);
    const form = new URLSearchParams(screen.searchParams);
    form.set('workspace', workspace);
    form.set('decision', decision);
    const sent: RequestInit = { method: 'POST', body: form, redirect: 'manual' };
    const response = await fetch(screen.origin + screen.pathname, sent);
    const back = response.headers.get('location');
    if (back === null) throw new Error(`the screen answered ${response.status}: ${await response.text()}`);
    return back;
  }

  /** Opens an address that the browser was sent to. */
  open(address: string): Promise<SeenPage> {
    return browse(address);
  }

  /** Presses the button of the page that was seen at an address. */
  press(address: string, { html }: SeenPage): Promise<SeenPage> {
    const action = /<form method="post" action="([^"]+)">/.exec(html)?.[1];
    if (action === undefined) throw new Error(`the page has no button: ${html}`);
    return browse(new URL(action, address).href, 'POST');
  }
}
