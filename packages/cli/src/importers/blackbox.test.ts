import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { blackbox } from './blackbox.ts';
import { createCollection } from './collection.ts';

/** Imports a Prometheus configuration. Returns its monitors, and the notes by level. */
async function read(config: object) {
  const into = createCollection();
  await blackbox.read({ name: 'prometheus.yml', path: '/p.yml', text: () => Promise.resolve(stringify(config)) }, into);
  const notes = (of: string) =>
    into.notes.filter(({ level }) => level === of).map(({ about, text }) => `${about}: ${text}`);
  return { monitors: into.drafts.map(({ fields }) => fields), lost: notes('lost'), changed: notes('changed') };
}
const job = (module: string, targets: string[], more: object = {}) => ({
  job_name: 'web',
  params: { module: [module] },
  static_configs: [{ targets }],
  ...more,
});

describe('a target', () => {
  test.each([
    ['http_2xx', 'https://shop.example.com/x', { type: 'http', url: 'https://shop.example.com/x' }],
    ['http_2xx', 'shop.example.com:8080', { type: 'http', url: 'http://shop.example.com:8080' }],
    ['http_post_2xx', 'shop.example.com', { type: 'http', url: 'http://shop.example.com', method: 'POST' }],
    ['tcp_connect', 'db.example.com:5432', { type: 'tcp', host: 'db.example.com', port: 5432 }],
    ['tcp_connect', '[2001:db8::1]:22', { type: 'tcp', host: '2001:db8::1', port: 22 }],
    ['icmp', 'router.example.com', { type: 'ping', host: 'router.example.com' }],
    ['icmp', '2001:db8::1', { type: 'ping', host: '2001:db8::1' }],
    ['icmp', '[2001:db8::1]', { type: 'ping', host: '2001:db8::1' }],
    ['ping_v4', '192.0.2.1', { type: 'ping', host: '192.0.2.1' }],
  ])('a target with the module %s and the address %s becomes a monitor', async (module, target, fields) => {
    const { monitors } = await read({ scrape_configs: [job(module, [target])] });
    expect(monitors).toMatchObject([{ ...fields, name: target, labels: { job: 'web' } }]);
  });

  test('a target with a module that is not http, tcp or icmp becomes only a note', async () => {
    const { monitors, lost } = await read({ scrape_configs: [job('dns_soa', ['ns.example.com'])] });
    expect(monitors).toEqual([]);
    expect(lost).toEqual(['ns.example.com: the whole monitor: module dns_soa is not http, tcp or icmp']);
  });

  test('a target becomes a monitor with the labels of the target', async () => {
    const configs = { static_configs: [{ targets: ['a.example'], labels: { team: 'ops', tier: 1 } }] };
    const { monitors } = await read({ scrape_configs: [job('icmp', [], configs)] });
    expect(monitors).toMatchObject([{ labels: { job: 'web', team: 'ops', tier: '1' } }]);
  });
});

describe('the times of a job', () => {
  test.each([
    [{}, {}, { interval: 60, timeout: 10 }],
    [{ scrape_interval: '2m', scrape_timeout: '5s' }, {}, { interval: 120, timeout: 5 }],
    [{}, { scrape_interval: '15s' }, { interval: 15, timeout: 10 }],
    [{ scrape_interval: '1h' }, { scrape_interval: '15s' }, { interval: 3600, timeout: 10 }],
    [{ scrape_interval: '100ms', scrape_timeout: '10m' }, {}, { interval: 1, timeout: 120 }],
    [{ scrape_interval: 'often' }, {}, { interval: 60, timeout: 10 }],
  ])('the times of a job with the settings %j and the global settings %j become %j', async (own, global, times) => {
    const { monitors } = await read({ global, scrape_configs: [job('icmp', ['a.example'], own)] });
    expect(monitors).toMatchObject([times]);
  });
});

test('a timeout that is too long becomes the longest possible timeout, and a note says so', async () => {
  const { changed } = await read({ scrape_configs: [job('icmp', ['a.example'], { scrape_timeout: '10m' })] });
  expect(changed).toContain('web: the timeout of 600 s becomes 120 s, the maximum');
});

describe('the rules in `relabel_configs`', () => {
  const usual = [
    { source_labels: ['__address__'], target_label: '__param_target' },
    { source_labels: ['__param_target'], target_label: 'instance' },
    { target_label: '__address__', replacement: '127.0.0.1:9115' },
  ];
  test.each<[string, object[], boolean]>([
    ['name the target and the exporter', usual, false],
    ['write the default action', [{ ...usual[0], action: 'replace' }], false],
    ['drop targets', [...usual, { source_labels: ['team'], regex: 'x', action: 'drop' }], true],
    ['use only a part of the target', [{ ...usual[0], regex: '(.*):80' }], true],
    ['set a label', [{ target_label: 'team', replacement: 'ops' }], true],
  ])('rules in `relabel_configs` that %s lead to a note only if a rule is lost', async (_, rules, isLost) => {
    const { lost } = await read({ scrape_configs: [job('icmp', ['a.example'], { relabel_configs: rules })] });
    expect(lost).toEqual(
      isLost ? ['web: `relabel_configs`: only the rules that name the target and the exporter are known'] : [],
    );
  });
});

test('a setting of Prometheus without a counterpart in a manifest becomes a note', async () => {
  const found = await read({
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'node' }, job('icmp', ['a.example'], { dns_sd_configs: [{}] })],
  });
  expect(found.monitors).toHaveLength(1);
  expect(found.lost).toEqual([
    'null: jobs without a blackbox module, because they only collect metrics: node',
    'web: `dns_sd_configs`: targets must be listed in the file',
    'null: alerts of Prometheus: add `channels:` and `alertRules:`',
  ]);
});

test.each([[{}], [{ scrape_configs: [] }], [{ scrape_configs: [{ job_name: 'node' }] }]])(
  'the import refuses %j as the wrong kind of file',
  async (config) => {
    await expect(read(config)).rejects.toThrow('expected a Prometheus configuration with `scrape_configs:`');
  },
);
