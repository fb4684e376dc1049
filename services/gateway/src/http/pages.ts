import { createHash } from 'node:crypto';
import { type CodedError, errorTable, type HttpOperation, type PersonPage, page } from '@stanza/contracts';
import type { Request } from 'express';
import { type Answer, pageType } from './request-context.ts';

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f5f9, #131218);
  color: light-dark(#1d1b26, #eceaf2); font: 16px/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(32rem, 100vw - 2rem); padding: 2rem; border-radius: 12px;
  background: light-dark(#fff, #1c1b22); border: 1px solid light-dark(#e6e3ee, #33313d); overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
button { font: inherit; font-weight: 600; color: #fff; background: #5b4bdb; border: 0; border-radius: 8px;
  padding: .6rem 1.2rem; cursor: pointer; }
button:focus-visible { outline: 3px solid light-dark(#1d1b26, #eceaf2); outline-offset: 2px; }
`;

/** The page loads nothing and runs no script, and its button posts to this service only. */
const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Names of organizations and workspaces are untrusted text. */
const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const buttonOf = ({ label, href }: NonNullable<PersonPage['action']>): string =>
  `<form method="post" action="${escapeMarkup(href)}"><button type="submit">${escapeMarkup(label)}</button></form>`;

const html = ({ title, text, action }: PersonPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeMarkup(title)} · Stanza</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${text.map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`).join('\n')}
${action === null ? '' : buttonOf(action)}
</main>
</body>
</html>
`;

const answerOf = (status: number, shown: PersonPage, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: html(shown),
  headers: { ...headers, 'Content-Type': pageType, 'Content-Security-Policy': contentPolicy },
});

/** Makes the page of an operation's reply. */
export const pageAnswer = (status: number, json: Uint8Array): Answer =>
  answerOf(status, page.parse(JSON.parse(Buffer.from(json).toString())));

/** Programs get errors in JSON, also from operations with pages. */
export const takesPages = ({ answers }: Pick<HttpOperation, 'answers'>, request: Request): boolean =>
  answers === 'page' && /\btext\/html\b/.test(request.get('accept') ?? '');

/** The page of an error, with its code for a support request. */
export const errorPageAnswer = (error: CodedError, requestId: string, headers: Answer['headers']): Answer => {
  const text = [error.message, errorTable[error.code].advice, `${error.code} · ${requestId}`];
  return answerOf(error.status, { title: 'Something went wrong', text, action: null }, headers);
};

/** A page with a message for a person, without a button. */
export const messagePage = (status: number, shown: Omit<PersonPage, 'action'>): Answer =>
  answerOf(status, { ...shown, action: null });
