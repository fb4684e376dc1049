import type { Response } from 'express';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes a text safe inside markup and between quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Form fields that a person does not see. */
export function hiddenFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(
      ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
    )
    .join('');
}

/** A screen of the sandbox with one question: the markup of its main part inside a whole page. */
export function screenDocument(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${escapeMarkup(title)} · Stanza sandbox</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/block-view/styles/theme.css">
    <link rel="stylesheet" href="/css/theme.css">
    <link rel="stylesheet" href="/css/oauth.css">
  </head>
  <body class="block-view">
    <main class="consent">
${main}
    </main>
  </body>
</html>
`;
}

/** The screen for a request with a wrong address. It leads nowhere. */
export function troubleScreen(message: string): string {
  return screenDocument(
    'Something is wrong',
    `      <h1>Something is wrong with this address</h1>
      <p>${escapeMarkup(message)}</p>`,
  );
}

/** Styles come from the sandbox alone; the form may lead to where the app expects its answer. */
function contentPolicy(formTargets: string): string {
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`;
}

/** Sends a screen whose form may lead to the given origins. */
export function showScreen(response: Response, status: number, page: string, formTargets: string): void {
  response
    .status(status)
    .set('Content-Security-Policy', contentPolicy(formTargets))
    .set('Referrer-Policy', 'no-referrer')
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(page);
}

/** Refuses a request with a wrong address. */
export function refuseOnScreen(response: Response, message: string): void {
  showScreen(response, 400, troubleScreen(message), "'none'");
}
