/** The health check of a container: exits with 0 while the process of the container takes requests. */

// Not imported, which would load the web's `fetch` as well: 50 ms of CPU at each check.
const { get } = process.getBuiltinModule('node:http');

const { STANZA_SANDBOX_PORT, STANZA_METRICS_PORT } = process.env;
const address = STANZA_SANDBOX_PORT
  ? `http://127.0.0.1:${STANZA_SANDBOX_PORT}/control/faults`
  : `http://127.0.0.1:${STANZA_METRICS_PORT || '9464'}/readyz`;

get(address, { timeout: 5_000 }, (response) => {
  response.resume();
  process.exitCode = response.statusCode === 200 ? 0 : 1;
})
  .once('timeout', () => process.exit(1))
  .once('error', () => process.exit(1));
