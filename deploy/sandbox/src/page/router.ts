import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Router } from 'express';
import type { World } from '../world/world.ts';
import { openFeed } from './feed.ts';

/** The page's files; as deep below the package in its sources as in its build. */
const PUBLIC_FOLDER = fileURLToPath(new URL('../../public/', import.meta.url));

/** The package that draws blocks, as it was built for browsers, and its stylesheets. */
const BLOCK_VIEW = {
  dist: dirname(fileURLToPath(import.meta.resolve('@stanza/block-view'))),
  styles: dirname(fileURLToPath(import.meta.resolve('@stanza/block-view/styles/block-view.css'))),
};

/** Images of messages come from anywhere; scripts and styles from here alone, and none from within the page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "require-trusted-types-for 'script'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function filesOf(folder: string): RequestHandler {
  return express.static(folder, {
    setHeaders(response) {
      response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Referrer-Policy', 'no-referrer');
      response.setHeader('Cache-Control', 'no-cache');
    },
  });
}

/** The page that shows posted messages as a person would see them, and the feed that keeps it live. */
export function pageRouter(world: World): Router {
  const router = express.Router();
  router.get('/feed', (request, response) => openFeed(request, response, world));
  // A link to a message, as the platform makes them.
  router.get('/archives/:channel/:message', (request, response) =>
    response.redirect(`../../#${encodeURIComponent(request.params.channel)}`),
  );
  router.use('/block-view/dist', filesOf(BLOCK_VIEW.dist));
  router.use('/block-view/styles', filesOf(BLOCK_VIEW.styles));
  router.use(filesOf(PUBLIC_FOLDER));
  return router;
}
