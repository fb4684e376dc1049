import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';

/** Everything is the gateway's own; the page writes styles of its own into attributes. */
const contentPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Stanza API</title>
<link rel="stylesheet" href="swagger-ui.css"><link rel="icon" href="favicon-32x32.png"></head>
<body><div id="swagger-ui"></div><script src="swagger-ui-bundle.js"></script><script src="start.js"></script></body>
</html>
`;

// No external validator receives the document.
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

const made = new Map<string, readonly [type: string, text: string]>([
  ['/', ['html', page]],
  ['/start.js', ['js', start]],
]);

/** Of the files of the package these are served, and no other. */
const served = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']);

/** The page that shows every operation of the OpenAPI document and tries it, with assets of this process only. */
export const explorer = (): Router => {
  const root = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const router = Router();
  router.get('/{*path}', ({ path }, response, next) => {
    const [type, text] = made.get(path) ?? [];
    if (type === undefined && !served.has(path)) return next('router');
    response.set('Content-Security-Policy', contentPolicy);
    if (type === undefined) response.sendFile(path.slice(1), { root });
    else response.type(type).send(text);
  });
  return router;
};
