import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { parse } from 'yaml';
import { checkout, composeFile } from './compose-file.ts';

const file = join(checkout, 'deploy/prometheus/compose.yml');

/** Without promtool only the names in the file are checked. */
const promtool = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' });
const checked = promtool.error === undefined ? ['promtool'] : [];

describe('the Prometheus of docker-compose.yml', () => {
  it('looks for every container of every service and of the front, and leaves series their own labels', () => {
    const job = (name: string) => ({
      job_name: name,
      honor_labels: true,
      dns_sd_configs: [{ names: [name], type: 'A', port: 9464, refresh_interval: '5s' }],
    });
    const { scrape_configs } = parse(readFileSync(file, 'utf8'));
    expect(scrape_configs).toHaveLength(serviceNames.length + 1);
    expect(scrape_configs).toEqual(
      expect.arrayContaining([...serviceNames, 'front'].map((name) => expect.objectContaining(job(name)))),
    );
  });

  it('reads no process twice, also not the one that has the names of the gateway and of the front', () => {
    const { scrape_configs } = parse(readFileSync(file, 'utf8'));
    const front = scrape_configs.find((it: { job_name: string }) => it.job_name === 'front');
    expect(front.metric_relabel_configs).toEqual([
      { source_labels: ['service'], regex: 'front', action: 'keep' },
    ]);
    expect(composeFile().services.small?.networks).toMatchObject({ outside: { aliases: ['front'] } });
  });

  for (const name of checked) {
    it(`has a configuration that ${name} takes`, () => {
      expect(promtool.stderr).toBe('');
      expect(promtool.status).toBe(0);
    });
  }
});
