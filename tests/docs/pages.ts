import { errorPage, eventSchemasFile, eventsPage, metricsPage } from '@stanza/contracts';
import { templatePage } from '@stanza/engine';
import { galleryPage } from '@stanza/gallery/page';
import { natsUsersFile } from '@stanza/local';
import { createMetrics } from '@stanza/runtime';
import { contentsPage } from '../../docs/site/contents.ts';
import { labelledCompose } from '../deploy/compose/nats-label.ts';
import { chartFiles } from '../deploy/helm/chart.ts';
import { prometheusRule } from '../deploy/kubernetes/prometheus-rule.ts';
import { dashboardJson } from '../monitoring/dashboards/dashboard.ts';
import { dashboards } from '../monitoring/dashboards/index.ts';
import { objectiveRules } from '../monitoring/objectives.ts';
import { configurationPage } from './configuration.ts';
import { dependenciesPage } from './dependencies.ts';
import { logsPage } from './logs.ts';
import { recipeLinks, recipesPage } from './recipes/page.ts';

/** What a process tells of itself without our doing. */
const processMetrics = () =>
  createMetrics({ service: 'gateway', processMetrics: true })
    .registry.getMetricsAsArray()
    .map(({ name, type, help }) => ({ name, type: String(type), help }));

/** Every file that is made from the code: pages of `docs/`, and what is deployed. */
export const generatedPages = (): Record<string, string> => ({
  ...chartFiles(natsUsersFile(), prometheusRule()),
  'deploy/kubernetes/base/nats/users.conf': natsUsersFile(),
  'deploy/kubernetes/components/monitoring/prometheus-rules.yaml': prometheusRule(),
  'docker-compose.yml': labelledCompose(),
  'docs/README.md': contentsPage(),
  'docs/configuration.md': configurationPage(),
  'docs/dependencies.md': dependenciesPage(),
  'deploy/prometheus/rules/objectives.yml': objectiveRules(),
  ...Object.fromEntries(
    dashboards.map((it) => [`deploy/grafana/dashboards/${it.uid}.json`, dashboardJson(it)]),
  ),
  'docs/errors.md': errorPage(),
  'docs/events.md': eventsPage(),
  'docs/events.schema.json': eventSchemasFile(),
  'docs/gallery.md': galleryPage(),
  'docs/logs.md': logsPage(),
  'docs/metrics.md': metricsPage(processMetrics()),
  'docs/recipes.md': recipesPage(),
  'docs/templates.md': templatePage(recipeLinks()),
});
