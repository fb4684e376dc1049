/**
 * Follows what is posted.
 *
 * @param {object} handlers `snapshot({names, messages})` at each connection, `posted(messages)` newest first, `cleared()`,
 *   `state('live' | 'lost')`
 */
export function followFeed(handlers) {
  const source = new EventSource('feed');
  source.addEventListener('open', () => handlers.state('live'));
  // The browser connects again by itself.
  source.addEventListener('error', () => handlers.state('lost'));
  source.addEventListener('snapshot', ({ data }) => handlers.snapshot(JSON.parse(data)));
  source.addEventListener('posted', ({ data }) => handlers.posted(JSON.parse(data)));
  source.addEventListener('cleared', () => handlers.cleared());
}
