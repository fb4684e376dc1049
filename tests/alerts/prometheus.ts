import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answersOk } from '@stanza/local/services';
import { freePorts, SupervisedProcess } from '@stanza/test-kit/database';
import { z } from 'zod';
import { scaledRules } from './scaled-rules.ts';

/** The shipped rules. */
export const rulesFolder = join(import.meta.dirname, '../../deploy/prometheus/rules');

/** By what the durations of the rules are divided: an hour takes a minute. */
export const factor = 60;

/** What Prometheus asks once a second. */
export interface Target {
  job: string;
  /** Name of the process; it is the label `instance`. */
  instance: string;
  /** Address of its page. */
  url: string;
}

/** An alert that fires. */
export interface Fired {
  alert: string;
  severity: string;
}

const labelled = z.object({ alertname: z.string().optional(), severity: z.string().optional() });
const answer = z.object({ data: z.object({ result: z.array(z.object({ metric: labelled })) }) });

const once = (all: readonly Fired[]): Fired[] => [
  ...new Map(all.map((it) => [`${it.alert} ${it.severity}`, it])).values(),
];

/** A Prometheus with the shipped rules, in which time passes faster. */
export class Prometheus {
  readonly #url: string;
  readonly #process: SupervisedProcess;

  private constructor(url: string, process: SupervisedProcess) {
    this.#url = url;
    this.#process = process;
  }

  static async start(folder: string, targets: readonly Target[]): Promise<Prometheus> {
    await mkdir(join(folder, 'rules'), { recursive: true });
    for (const name of await readdir(rulesFolder)) {
      const rules = await readFile(join(rulesFolder, name), 'utf8');
      await writeFile(join(folder, 'rules', name), scaledRules(rules, factor));
    }
    await writeFile(join(folder, 'prometheus.json'), JSON.stringify(configOf(targets)));
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const process = new SupervisedProcess({
      name: 'prometheus',
      command: 'prometheus',
      args: [
        '--config.file=prometheus.json',
        '--storage.tsdb.path=data',
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      cwd: folder,
      logFile: join(folder, 'prometheus.log'),
      isReady: () => answersOk(`${url}/-/ready`),
      stopSignal: 'SIGTERM',
      orphanSignal: 'SIGKILL',
      stopTimeoutMs: 10_000,
      readyTimeoutMs: 60_000,
    });
    await process.start();
    return new Prometheus(url, process);
  }

  /** What fires now. */
  firing(): Promise<Fired[]> {
    return this.#alerts('ALERTS{alertstate="firing"}');
  }

  /** What fired at any time within this many of the last seconds. */
  fired(seconds: number): Promise<Fired[]> {
    return this.#alerts(`count_over_time(ALERTS{alertstate="firing"}[${Math.max(1, Math.ceil(seconds))}s])`);
  }

  /** Whether an expression has a result now. */
  async holds(expression: string): Promise<boolean> {
    return (await this.#results(expression)).length > 0;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  async #alerts(query: string): Promise<Fired[]> {
    const results = await this.#results(query);
    return once(results.map(({ metric: { alertname: alert = '', severity = '' } }) => ({ alert, severity })));
  }

  async #results(query: string) {
    const response = await fetch(`${this.#url}/api/v1/query?${new URLSearchParams({ query })}`);
    return answer.parse(await response.json()).data.result;
  }
}

const configOf = (targets: readonly Target[]) => ({
  global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
  rule_files: ['rules/*.yml'],
  scrape_configs: [...Map.groupBy(targets, ({ job }) => job)].map(([job_name, ofJob]) => ({
    job_name,
    // As shipped: the series of jobs between services have a label of this name.
    honor_labels: true,
    static_configs: ofJob.map(({ instance, url }) => {
      const { host, pathname } = new URL(url);
      return { targets: [host], labels: { instance, __metrics_path__: pathname } };
    }),
  })),
});
