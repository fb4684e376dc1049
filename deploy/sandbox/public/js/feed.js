/**
 * Follows what is posted.
 *
 * @param {object} handlers `snapshot({names, messages, views, methods})` at each connection, `posted(messages)` newest first,
 *   `updated(message)`, `deleted(message)`, `views(open)`, `cleared()`, `state('live' | 'lost')`
 */
export function followFeed(handlers) {
  const source = new EventSource('feed');
  source.addEventListener('open', () => handlers.state('live'));
  // The browser connects again by itself.
  source.addEventListener('error', () => handlers.state('lost'));
  source.addEventListener('snapshot', ({ data }) => handlers.snapshot(JSON.parse(data)));
  source.addEventListener('posted', ({ data }) => handlers.posted(JSON.parse(data)));
  source.addEventListener('updated', ({ data }) => handlers.updated(JSON.parse(data)));
  source.addEventListener('deleted', ({ data }) => handlers.deleted(JSON.parse(data)));
  source.addEventListener('views', ({ data }) => handlers.views(JSON.parse(data)));
  source.addEventListener('cleared', () => handlers.cleared());
}
