import { escapeMarkup, hiddenFields, screenDocument } from '../screen.ts';

/** The parameters of the consent screen, from its address. */
export interface Asked {
  readonly client_id: string;
  readonly scope: string;
  readonly redirect_uri: string;
  readonly state: string;
}

/** The screen on which a person grants the app a workspace or declines. */
export function consentScreen(asked: Asked): string {
  const scopes = asked.scope.split(',').map((scope) => `<li><code>${escapeMarkup(scope)}</code></li>`);
  return screenDocument(
    'Allow the app',
    `      <img class="consent-mark" src="/icon.svg" alt="">
      <h1>Stanza wants to access a workspace</h1>
      <p class="faint">This is the sandbox: any name is a workspace, and you may allow everything.</p>
      <h2>It will be able to</h2>
      <ul class="consent-scopes">${scopes.join('')}</ul>
      <form method="post" action="/oauth/v2/authorize">
        ${hiddenFields({ ...asked })}
        <label for="workspace">Workspace</label>
        <input id="workspace" name="workspace" value="acme" required maxlength="40" pattern="[A-Za-z0-9][A-Za-z0-9\\-]*">
        <div class="consent-buttons">
          <button name="decision" value="deny" formnovalidate>Cancel</button>
          <button class="primary" name="decision" value="allow">Allow</button>
        </div>
      </form>`,
  );
}
