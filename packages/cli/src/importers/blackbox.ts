import type { Collection } from './collection.ts';
import { durationSeconds } from './go-duration.ts';
import { hostAndPort } from './host-and-port.ts';
import type { Importer } from './importer.ts';
import { isMap, mapsOf, textOf, textsOf, type Values } from './parse-data.ts';
import { readMap, wrongFile } from './read-map.ts';
import { timeoutWithin } from './timeout-within.ts';

const expected = 'a Prometheus configuration with `scrape_configs:` that probe through the blackbox exporter';

const knownParts = new Set(['global', 'scrape_configs', 'rule_files', 'alerting']);

/** Imports the targets that Prometheus probes through the blackbox exporter. */
export const blackbox: Importer = {
  async read(source, into) {
    const data = await readMap(source, 'YAML', expected, into.places);
    const globals = isMap(data['global']) ? data['global'] : {};
    const jobs = mapsOf(data['scrape_configs']);
    const probes = jobs.filter((job) => moduleOf(job) !== undefined);
    if (probes.length === 0) throw wrongFile(source, expected);
    if (probes.length < jobs.length)
      into.note(
        'lost',
        null,
        `jobs without a blackbox module, because they only collect metrics: ${jobs
          .filter((job) => !probes.includes(job))
          .map((job) => textOf(job['job_name']) ?? 'job')
          .join(', ')}`,
      );
    for (const job of probes) readJob(job, globals, into);
    for (const part of Object.keys(data).filter((one) => !knownParts.has(one)))
      into.note('lost', null, `\`${part}:\` has no place in a manifest`);
    if (data['rule_files'] !== undefined || data['alerting'] !== undefined)
      into.note('lost', null, 'alerts of Prometheus: add `channels:` and `alertRules:`');
    into.note(
      'changed',
      null,
      'the types are derived from the names of the modules, because the import does not read blackbox.yml, which defines them: review each monitor',
    );
    into.note('better', null, 'outages, alerts and status pages need no further program');
  },
};

const paramsOf = (job: Values): Values => (isMap(job['params']) ? job['params'] : {});

/**
 * Returns the module in the parameters of a job. If these name no module, returns the first module in the labels of its
 * targets.
 */
function moduleOf(job: Values): string | undefined {
  const { module } = paramsOf(job);
  const named = textOf(Array.isArray(module) ? module[0] : module);
  return (
    named ??
    mapsOf(job['static_configs'])
      .map(({ labels }) => moduleIn(labels, job))
      .find(Boolean)
  );
}

/**
 * Returns the module in the labels of a target. By convention, the label is called `module` in jobs that use the path
 * `/probe`. In other jobs, a label `module` may mean anything.
 */
function moduleIn(labels: unknown, job: Values): string | undefined {
  const { __param_module: param, module } = textsOf(labels);
  return param ?? (job['metrics_path'] === '/probe' ? module : undefined);
}

/**
 * Returns the targets of a job. The parameters of a job may name its target; then `targets` only has the exporter's
 * address.
 */
function targetsOf(job: Values, config: Values): string[] {
  const { target } = paramsOf(job);
  if (target !== undefined) return (Array.isArray(target) ? target : [target]).map(String);
  return Array.isArray(config['targets']) ? config['targets'].map(String) : [];
}

const knownOfJob = 'job_name scrape_interval scrape_timeout metrics_path params static_configs relabel_configs'.split(
  ' ',
);

/** Whether a rule of `relabel_configs` is one of the rules that every job of the blackbox exporter has. */
const isUsual = (rule: Values): boolean =>
  ['__param_target', 'instance', '__address__', '__param_module'].includes(textOf(rule['target_label']) ?? '') &&
  rule['regex'] === undefined &&
  (rule['action'] ?? 'replace') === 'replace';

function readJob(job: Values, globals: Values, into: Collection): void {
  const about = into.begin(textOf(job['job_name']) ?? 'job', job);
  for (const part of Object.keys(job).filter((one) => one.endsWith('_sd_configs')))
    into.note('lost', about, `\`${part}\`: targets must be listed in the file`);
  into.noteRest(job, new Set([...knownOfJob, ...Object.keys(job).filter((one) => one.endsWith('_sd_configs'))]), about);
  into.noteRest(paramsOf(job), new Set(['module', 'target', 'debug']), about, 'params.');
  if (mapsOf(job['relabel_configs']).some((rule) => !isUsual(rule)))
    into.note('lost', about, '`relabel_configs`: only the rules that name the target and the exporter are known');
  const interval = durationSeconds(job['scrape_interval'] ?? globals['scrape_interval']) ?? 60;
  const timeout = durationSeconds(job['scrape_timeout'] ?? globals['scrape_timeout']) ?? 10;
  const times = {
    interval: Math.max(1, Math.round(interval)),
    timeout: timeoutWithin(timeout, about, into),
  };
  for (const config of mapsOf(job['static_configs'])) {
    const own = Object.entries(textsOf(config['labels'])).filter(([name]) => !name.startsWith('__'));
    const labels = { job: textOf(job['job_name']) ?? 'job', ...Object.fromEntries(own) };
    const module = moduleIn(config['labels'], job) ?? moduleOf(job) ?? '';
    for (const target of targetsOf(job, config)) {
      const fields = targetOf(module, target);
      if (fields) into.add('monitors', target, { name: target, ...fields, ...times, labels });
      else into.note('lost', target, `the whole monitor: module ${module} is not http, tcp or icmp`);
    }
  }
}

function targetOf(module: string, target: string): Values | null {
  const { host, port } = hostAndPort(target);
  if (module.startsWith('tcp')) return { type: 'tcp', host, port };
  if (/^(?:icmp|ping)/.test(module)) return { type: 'ping', host };
  if (!module.startsWith('http')) return null;
  const url = /^https?:\/\//i.test(target) ? target : `http://${target}`;
  return { type: 'http', url, ...(module.includes('post') && { method: 'POST' }) };
}
