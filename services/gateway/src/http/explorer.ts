import { Router } from 'express';
import swagger from 'swagger-ui-express';

/** The page loads nothing from other hosts; its own start-up script is inline. */
const contentPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page, its own script, and their assets; no other file of the package is served. */
const served = new Set([
  '/',
  '/swagger-ui-init.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
  '/favicon-16x16.png',
]);

/** The page that shows every operation of the OpenAPI document and tries it, with assets of this process only. */
export const explorer = (): Router => {
  const router = Router();
  router.use((request, response, next) => {
    if (request.method !== 'GET' || !served.has(request.path)) return next('router');
    response.set('Content-Security-Policy', contentPolicy);
    return next();
  });
  router.use(
    swagger.serve,
    swagger.setup(undefined, {
      swaggerUrl: '/openapi.json',
      customSiteTitle: 'Stanza API',
      // No external validator receives the document.
      swaggerOptions: { validatorUrl: null },
    }),
  );
  return router;
};
