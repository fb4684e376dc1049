const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** What the screen asks about, as it stood in the address. */
export interface Asked {
  readonly client_id: string;
  readonly scope: string;
  readonly redirect_uri: string;
  readonly state: string;
}

function hiddenFields(asked: Asked): string {
  return Object.entries(asked)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`)
    .join('');
}

function document(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title} · Stanza sandbox</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/css/theme.css">
    <link rel="stylesheet" href="/css/oauth.css">
  </head>
  <body>
    <main class="consent">
${main}
    </main>
  </body>
</html>
`;
}

/** The screen on which a person allows the app a workspace, or does not. */
export function consentScreen(asked: Asked): string {
  const scopes = asked.scope.split(',').map((scope) => `<li><code>${escapeMarkup(scope)}</code></li>`);
  return document(
    'Allow the app',
    `      <img class="consent-mark" src="/icon.svg" alt="">
      <h1>Stanza wants to access a workspace</h1>
      <p class="faint">This is the sandbox: any name is a workspace, and you may allow everything.</p>
      <h2>It will be able to</h2>
      <ul class="consent-scopes">${scopes.join('')}</ul>
      <form method="post" action="/oauth/v2/authorize">
        ${hiddenFields(asked)}
        <label for="workspace">Workspace</label>
        <input id="workspace" name="workspace" value="acme" required maxlength="40" pattern="[A-Za-z0-9][A-Za-z0-9\\-]*">
        <div class="consent-buttons">
          <button name="decision" value="deny" formnovalidate>Cancel</button>
          <button class="primary" name="decision" value="allow">Allow</button>
        </div>
      </form>`,
  );
}

/** What a person sees where the app has sent them with a wrong address; they are sent nowhere from here. */
export function troubleScreen(message: string): string {
  return document(
    'Something is wrong',
    `      <h1>Something is wrong with this address</h1>
      <p>${escapeMarkup(message)}</p>`,
  );
}
