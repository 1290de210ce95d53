import type { Collection } from './collection.ts';
import { readReferences } from './env-reference.ts';
import { durationSeconds } from './go-duration.ts';
import type { Importer } from './importer.ts';
import { isMap, mapsOf, numberOf, textOf, textsOf, type Values } from './parse-data.ts';
import { readMap, wrongFile } from './read-map.ts';
import { withoutRedirects } from './without-redirects.ts';
import { timeoutWithin } from './timeout-within.ts';

const expected = 'an OpenStatus file, monitors with `request:`';

/** Imports the YAML file of the OpenStatus CLI. It is a map of monitors, or has a list of them under `monitors:`. */
export const openstatus: Importer = {
  async read(source, into) {
    const data = await readMap(source, 'YAML', expected, into.places);
    const monitors = entriesOf(data).filter(([, { request }]) => isMap(request));
    if (monitors.length === 0) throw wrongFile(source, expected);
    for (const [id, monitor] of monitors) readMonitor(id, monitor, into);
    into.note(
      'lost',
      null,
      'notifications and status pages are not in the file; add `channels:`, `alertRules:` and `statusPages:`',
    );
    into.note(
      'better',
      null,
      'each change is shown as a plan before it is made, and a second apply continues after a failure',
    );
  },
};

/**
 * Returns the monitors with their names in the file. In a list, a monitor has a name only if it has the field `name:`.
 */
function entriesOf(data: Values): [string, Values][] {
  const listed = mapsOf(data['monitors']).map((one): [string, Values] => [textOf(one['name']) ?? 'monitor', one]);
  if (listed.length > 0) return listed;
  return Object.entries(isMap(data['monitors']) ? data['monitors'] : data).filter((entry): entry is [string, Values] =>
    isMap(entry[1]),
  );
}

const knownOfMonitor = new Set(
  [
    'name description frequency regions active kind retry public request degradedAfter timeout assertions',
    'openTelemetry',
  ].flatMap((words) => words.split(' ')),
);
const knownOfRequest = new Set('url method headers body host port uri followRedirects'.split(' '));

function readMonitor(id: string, monitor: Values, into: Collection): void {
  const name = textOf(monitor['name']) ?? id;
  const about = into.begin(name, monitor);
  const request: Values = isMap(monitor['request']) ? monitor['request'] : {};
  into.noteRest(monitor, knownOfMonitor, about);
  into.noteRest(request, knownOfRequest, about, 'request.');
  const target = targetOf(textOf(monitor['kind']) ?? 'http', request, about, into);
  if (!target) return;
  const retries = numberOf(monitor['retry']) ?? 0;
  const status = request['followRedirects'] === false ? String : withoutRedirects;
  if (retries > 5) into.note('changed', about, `${retries} retries become 5, the maximum`);
  if (monitor['regions'] !== undefined) into.note('lost', about, '`regions`: checks run from your own regions');
  if (monitor['degradedAfter'] !== undefined)
    into.note('lost', about, '`degradedAfter`: a slow answer is not a failure');
  if (monitor['public'] === true)
    into.note('changed', about, '`public`: put the monitor on one of your `statusPages:`');
  if (monitor['openTelemetry'] !== undefined)
    into.note('lost', about, '`openTelemetry`: there is no such setting here');
  const timeout = numberOf(monitor['timeout']);
  const fields = {
    name,
    ...target,
    description: textOf(monitor['description']),
    interval: durationSeconds(monitor['frequency']),
    ...(timeout !== undefined && { timeout: timeoutWithin(timeout / 1000, about, into) }),
    retries: Math.min(5, retries),
    ...(target['type'] === 'http' && assertionFields(mapsOf(monitor['assertions']), status, about, into)),
    ...(monitor['active'] === false && { paused: true }),
  };
  into.add('monitors', about, fields, id);
}

function targetOf(kind: string, request: Values, about: string, { note }: Collection): Values | null {
  if (kind === 'tcp') return { type: 'tcp', host: textOf(request['host']), port: numberOf(request['port']) };
  if (kind === 'dns') return { type: 'dns', hostname: textOf(request['host']) ?? textOf(request['uri']) };
  if (kind !== 'http') {
    note('lost', about, `the whole monitor: there is no check of kind ${kind}`);
    return null;
  }
  if (request['followRedirects'] === false)
    note('changed', about, '`followRedirects`: redirects are followed, unless `expectedStatus` names a 3xx');
  const headers = Object.entries(textsOf(request['headers'])).map(([name, value]) => [name, readReferences(value)]);
  const [url, body] = [textOf(request['url']), textOf(request['body'])];
  return {
    type: 'http',
    url: url && readReferences(url),
    method: textOf(request['method'])?.toUpperCase(),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) as Record<string, string> }),
    body: body && readReferences(body),
  };
}

const sameStatus: Record<string, (code: number) => string> = {
  eq: String,
  lt: (code) => `100-${code - 1}`,
  lte: (code) => `100-${code}`,
  gt: (code) => `${code + 1}-599`,
  gte: (code) => `${code}-599`,
};

function assertionFields(
  assertions: readonly Values[],
  statusOf: (status: string) => string | undefined,
  about: string,
  { note }: Collection,
): Values {
  const fields: Values = {};
  for (const assertion of assertions) {
    const [kind, compare = ''] = [textOf(assertion['kind']), textOf(assertion['compare'])];
    const target = textOf(assertion['target']);
    const code = numberOf(assertion['target']);
    const isStatus = kind === 'statusCode' && code !== undefined && Object.hasOwn(sameStatus, compare);
    const status = isStatus ? statusOf(sameStatus[compare]!(code)) : undefined;
    if (status !== undefined && fields['expectedStatus'] === undefined) fields['expectedStatus'] = status;
    else if (kind === 'textBody' && compare === 'contains' && fields['bodyContains'] === undefined)
      fields['bodyContains'] = target;
    else note('lost', about, `the assertion ${kind ?? ''} ${compare} ${target ?? ''}: there is no such condition here`);
  }
  return fields;
}
