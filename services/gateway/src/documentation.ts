import { Router } from 'express';
import swagger from 'swagger-ui-express';

/** Nothing on the page comes from elsewhere; its own start-up script is inline. */
const contentPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** The page at `/docs`: the OpenAPI document for people, with assets of this process alone. */
export const documentation = (): Router => {
  const router = Router();
  router.use((_request, response, next) => {
    response.set('Content-Security-Policy', contentPolicy);
    next();
  });
  router.use(
    swagger.serve,
    swagger.setup(undefined, { swaggerUrl: '/openapi.json', customSiteTitle: 'Stanza API' }),
  );
  return router;
};
