import type { Collection } from './collection.ts';
import { heartbeatFields, longestGapSeconds } from './cron.ts';
import type { Importer } from './importer.ts';
import { mapsOf, numberOf, textOf, type Values } from './parse-data.ts';
import { readMap, wrongFile } from './read-map.ts';

const expected = 'the JSON of `GET /api/v3/checks/`, with `checks`';

/** Imports the list of checks that the API of Healthchecks returns. */
export const healthchecks: Importer = {
  async read(source, into) {
    const data = await readMap(source, 'JSON', expected, into.places);
    const checks = mapsOf(data['checks']);
    if (checks.length === 0) throw wrongFile(source, expected);
    for (const check of checks) readCheck(check, into);
    into.note('changed', null, 'ping addresses are new: `uptime apply` prints them; change your jobs to use them');
    into.note('lost', null, 'integrations: the export has only their ids; add `channels:` and `alertRules:`');
    into.note(
      'lost',
      null,
      'the log of pings (the server records only pings that it gets) and the badges (a status page has its own)',
    );
    into.note('better', null, 'the same server also checks addresses, ports and names, and has status pages');
  },
};

/**
 * The known fields of a check: settings, and fields that only report a state or an address. Any other field gets a
 * note.
 */
const known = new Set(
  [
    'name slug tags desc grace schedule timeout tz status methods manual_resume start_kw success_kw failure_kw subject',
    'subject_fail filter_subject filter_body filter_http_body filter_default_fail channels',
    'n_pings started last_ping last_duration next_ping unique_key uuid badge_url',
    'ping_url update_url pause_url resume_url',
  ].flatMap((words) => words.split(' ')),
);

function readCheck(check: Values, into: Collection): void {
  const name = textOf(check['name']) ?? textOf(check['slug']) ?? 'check';
  const about = into.begin(name, check);
  into.noteRest(check, known, about);
  const grace = numberOf(check['grace']) ?? 3600;
  const schedule = textOf(check['schedule']);
  const gap = schedule === undefined ? numberOf(check['timeout']) : longestGapSeconds(schedule);
  if (gap == null) {
    into.note(
      'lost',
      about,
      `the whole monitor: ${schedule === undefined ? 'it has no period' : `the schedule ${schedule} cannot be read`}`,
    );
    return;
  }
  if (schedule !== undefined)
    into.note(
      'changed',
      about,
      `the schedule ${schedule} becomes the longest time between two runs, because a heartbeat has only an interval`,
    );
  const times = heartbeatFields(Math.round(gap), Math.round(grace));
  if (!times) {
    into.note('lost', about, 'the whole monitor: a heartbeat may be silent for 37 days at most');
    return;
  }
  if (textOf(check['methods'])) into.note('lost', about, '`methods`: a ping address accepts GET, HEAD and POST');
  if (check['manual_resume'] === true)
    into.note('lost', about, '`manual_resume`: a ping never resumes a paused monitor');
  for (const filter of ['start_kw', 'success_kw', 'failure_kw', 'subject', 'subject_fail'])
    if (textOf(check[filter])) into.note('lost', about, `\`${filter}\`: send to /start or /fail instead`);
  for (const filter of ['filter_subject', 'filter_body', 'filter_http_body', 'filter_default_fail'])
    if (check[filter] === true) into.note('lost', about, `\`${filter}\`: the text of a ping has no meaning here`);
  const zone = textOf(check['tz']);
  if (schedule !== undefined && zone !== undefined && zone !== 'UTC')
    into.note(
      'lost',
      about,
      `\`tz: ${zone}\`: an interval has no time zone; when the clocks change, a run may be an hour late`,
    );
  const tags = (textOf(check['tags']) ?? '').split(/\s+/).filter(Boolean);
  const fields = {
    name,
    type: 'heartbeat',
    description: textOf(check['desc']),
    ...(tags.length > 0 && { labels: Object.fromEntries(tags.map((tag) => [tag, 'true'])) }),
    ...times,
    ...(check['status'] === 'paused' && { paused: true }),
  };
  into.add('monitors', about, fields, textOf(check['slug']) ?? name);
}
