import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import type { World } from '../world/world.ts';
import { type Asked, consentScreen, troubleScreen } from './screen.ts';

const asked = z.object({
  client_id: z.string(),
  scope: z.string().min(1, 'the app asks for nothing'),
  redirect_uri: z.url({ protocol: /^https?$/, error: 'redirect_uri is no address' }),
  state: z.string().default(''),
});

const decided = asked.extend({
  decision: z.enum(['allow', 'deny']),
  workspace: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/, 'that is no name of a workspace'),
});

/** Styles come from here alone; the form may lead to where the app wants its answer. */
function contentPolicy(formTargets: string): string {
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`;
}

function show(response: Response, status: number, page: string, formTargets: string): void {
  response
    .status(status)
    .set('Content-Security-Policy', contentPolicy(formTargets))
    .set('Referrer-Policy', 'no-referrer')
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(page);
}

function refuse(response: Response, message: string): void {
  show(response, 400, troubleScreen(message), "'none'");
}

/** Where the browser goes with the answer. */
function destination({ redirect_uri, state }: Asked, answer: Readonly<Record<string, string>>): string {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, state })) url.searchParams.set(name, value);
  return url.href;
}

/** The platform's screen: a person allows the app a workspace, and the browser takes a code back to the app. */
export function oauthRouter({ grants }: World): Router {
  const router = express.Router();
  const troubleOf = (input: { client_id: string }): string | undefined =>
    input.client_id === grants.app.clientId ? undefined : 'client_id names no app of the sandbox';
  router.get('/v2/authorize', (request, response) => {
    const input = asked.safeParse(request.query);
    if (!input.success) return refuse(response, z.prettifyError(input.error));
    const trouble = troubleOf(input.data);
    if (trouble !== undefined) return refuse(response, trouble);
    const { origin } = new URL(input.data.redirect_uri);
    return show(response, 200, consentScreen(input.data), `'self' ${origin}`);
  });
  router.post('/v2/authorize', express.urlencoded({ extended: false }), (request, response) => {
    const input = decided.safeParse(request.body);
    if (!input.success) return refuse(response, z.prettifyError(input.error));
    const trouble = troubleOf(input.data);
    if (trouble !== undefined) return refuse(response, trouble);
    const { decision, workspace, scope, redirect_uri } = input.data;
    if (decision === 'deny') return response.redirect(destination(input.data, { error: 'access_denied' }));
    const scopes = scope.split(',');
    const code = grants.add({ workspaceName: workspace, redirectUri: redirect_uri, scopes });
    return response.redirect(destination(input.data, { code }));
  });
  return router;
}
