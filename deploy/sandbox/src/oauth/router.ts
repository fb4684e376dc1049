import express, { type Router } from 'express';
import { z } from 'zod';
import { refuseOnScreen as refuse, showScreen as show } from '../screen.ts';
import type { World } from '../world/world.ts';
import { type Asked, consentScreen } from './screen.ts';

const asked = z.object({
  client_id: z.string(),
  scope: z.string().min(1, 'the app asks for nothing'),
  redirect_uri: z.url({ protocol: /^https?$/, error: 'redirect_uri is not an address' }),
  state: z.string().default(''),
});

const decided = asked.extend({
  decision: z.enum(['allow', 'deny']),
  workspace: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/, 'that is not the name of a workspace'),
});

/** The redirect address with the answer. */
function destination({ redirect_uri, state }: Asked, answer: Readonly<Record<string, string>>): string {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, state })) url.searchParams.set(name, value);
  return url.href;
}

/** The platform's consent screen: a person grants the app a workspace, and the browser returns a code to the app. */
export function oauthRouter({ grants }: World): Router {
  const router = express.Router();
  const troubleOf = (input: { client_id: string }): string | undefined =>
    input.client_id === grants.app.clientId ? undefined : 'client_id is not an app of the sandbox';
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
