import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { monitorTypes } from '@uptime/sdk/contract';
import { run } from '../run.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import { commands } from './index.ts';

let cwd: string;
beforeAll(async () => void (cwd = await mkdtemp(join(tmpdir(), 'uptime-flags-'))));
afterAll(() => rm(cwd, { recursive: true }));

/** Runs a command line. Returns its exit code, its output, and the addresses of its requests. */
async function refused(line: readonly string[]) {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Request(input, init).url);
    return Response.json({ status: 500, code: 'internal', detail: 'It must not be asked.' }, { status: 418 });
  };
  const env = {
    UPTIME_API_KEY: 'uptime_0123456789',
    UPTIME_SITE_URL: 'http://uptime.test',
    UPTIME_CONFIG_DIR: '/nonexistent',
    NO_COLOR: '1',
  };
  const { context, output } = recordedContext({ env, fetch, cwd });
  const own = commands.filter(({ path, aliases = [] }) =>
    [path, ...aliases].some((one) => `${line.join(' ')} `.startsWith(`${one} `)),
  );
  return { exit: await run(line, context, own), sent, ...output };
}

const nothing = { exit: 2, sent: [], stdout: '' };

test.each(commands.map(({ path }) => path))('the command %s refuses a flag that it does not have', async (path) => {
  // These two commands run a job, which may have any flag. Without `--`, they cannot know whether the flag belongs to
  // the job, and their error says so.
  const isJob = path === 'exec' || path === 'maintenance run';
  const ended = await refused([...path.split(' '), '--nonsense']);
  expect(ended).toMatchObject(nothing);
  // Commander reports a missing required flag before an unknown flag.
  expect(ended.stderr).toMatch(isJob ? /not clear|required option/ : /unknown option '--nonsense'|required option/);
});

describe('a wrong value', () => {
  test.each<[string, RegExp]>([
    ['ls --status dow', /Allowed choices are down, pending, up, paused/],
    ['ls --type web', new RegExp(`Allowed choices are ${monitorTypes.join(', ')}`)],
    ['ls --limit 0', /Expected a whole number from 1 to 1000000/],
    ['ls -o xml', /Allowed choices are table, json, yaml/],
    ['apply --concurrency 65', /Expected a whole number from 1 to 64/],
    ['apply -o xml', /Allowed choices are text, json, yaml, markdown, github, gitlab/],
    ['apply --env=', /--env is empty: is a variable not set\?/],
    ['apply --out=', /--out is empty: is a variable not set\?/],
    ['apply -f - --out plan.json', /standard input cannot be/],
    ['apply plan.json --prune', /a plan is applied as it was made, so --prune cannot be added/],
    ['apply plan.json -f m.yaml --env live', /so -f and --env cannot be added/],
    ['apply plan.json extra', /too many arguments/],
    ['apply -f', /argument missing/],
    ['apply -f=', /no such file or folder|-f is empty/],
    ['diff -f none.yaml', /none\.yaml: no such file or folder/],
    ['validate', /monitors\.yaml: no such file or folder/],
    ['pull -f -', /pull writes files, so it cannot read standard input/],
    ['test --parallel 0', /Expected a whole number/],
    ['test --reporter xml', /xml/],
    ['wait', /no monitor is named/],
    ['wait shop --all', /names, --label and --all exclude each other/],
    ['wait shop --until paused', /Allowed choices are up, down/],
    ['wait shop --confirm 101', /Expected a whole number from 0 to 100/],
    ['wait shop --timeout 5', /Expected a duration such as 30m/],
    ['watch --every 0s', /Expected a duration such as 30m/],
    ['monitors history shop --region eu', /--region needs --of checks/],
    ['monitors history shop --from 2026-02-30', /--from must be a calendar date/],
    ['monitors history shop --of all', /Allowed choices are changes, days, checks, pings/],
    ['monitors create --type http --name a', /--url/],
    ['monitors create --type tcp --name a --host b --port 70000', /--port must be a whole number from 1 to 65535/],
    ['monitors create --type http --name a --url https://a.example --port 5', /--port is not a field of type http/],
    ['monitors create --type http --name a --url https://a.example --header X', /--header expects name=value/],
    ['monitors create --type http --name a --url https://a.example --paused maybe', /Expected true or false/],
    ['monitors update shop', /nothing to change: name at least one field/],
    ['channels create --type email --name a --address none', /--address/],
    ['channels create --type pigeon --name a', /Allowed choices/],
    ['rules create --name a --trigger never', /Allowed choices/],
    ['incidents create', /--title/],
    ['incidents create --title a --status done', /Allowed choices/],
    ['maintenance start --for 5m', /--monitors is required: name at least one/],
    ['maintenance start --monitors a', /required option '--for/],
    ['maintenance schedule --monitors a', /--start is required\n--end or --for is required/],
    [
      'maintenance schedule --monitors a --start 2030-01-02T00:00:00Z --end 2030-01-01T00:00:00Z',
      /--end must be after --start/,
    ],
    [
      'maintenance schedule --monitors a --start 2030-01-02T00:00:00Z --end 2030-01-03T00:00:00Z --for 5m',
      /--end and --for both set the end/,
    ],
    ['maintenance run --monitors a --max 5m echo', /it is not clear where the job begins/],
    ['ping shop --start --fail', /give only one of --start, --fail and --exit-code/],
    ['ping shop --exit-code 256', /Expected a whole number from 0 to 255/],
    ['ping shop --metric rows', /Expected name=value/],
    ['exec shop', /missing required argument 'command'/],
    ['exec shop echo -n', /it is not clear whether -n is a flag of uptime or of the job/],
    ['keys create --scope read', /required option '--name/],
    ['keys create --name ci --scope all', /Allowed choices are ping, read, apply, full/],
    ['keys create --name ci --scope read --expires never', /Expected a duration/],
    ['login --api-key k --email a@example.com', /--api-key and --email cannot be used together/],
    ['login', /no key was given, and there is no terminal to ask on/],
    ['login --email a@example.com', /no password was given, and there is no terminal to ask on/],
    ['login --api-key é', /that is not an API key/],
    ['signup --email a@example.com', /no name was given, and there is no terminal to ask on/],
    ['api FETCH /monitors', /the method must be one of GET, HEAD, POST, PUT, PATCH, DELETE/],
    ['api POST /monitors --paginate', /--paginate reads lists, so it needs GET/],
    ['api GET /monitors --timeout 0s', /Expected a duration/],
    ['import pigeon file', /Allowed choices are kuma, gatus, upptime, healthchecks, openstatus, blackbox, crontab/],
    ['import gatus none.yaml', /none\.yaml: no such file/],
    ['import gatus .', /\. has no \*\.yaml or \*\.yml files/],
    ['import upptime .', /\. is not a file/],
    ['completion tcsh', /Allowed choices are bash, zsh, fish/],
    ['init --type http --name a', /--url/],
    ['whoami --site-url ftp://a.example', /must be an http:\/\/ or https:\/\/ address/],
    ['whoami --site-url https://ada:x@a.example', /without user, query or fragment/],
  ])('the error about the command line `%s` says what was expected', async (line, reason) => {
    const ended = await refused(line.split(' '));
    expect(ended).toMatchObject(nothing);
    expect(ended.stderr).toMatch(reason);
  });
});

describe('a mistyped word', () => {
  test.each<[string, RegExp]>([
    ['monitor list', /unknown command 'monitor'[\s\S]*Did you mean monitors\?/],
    ['monitors lst', /unknown command 'lst'[\s\S]*Did you mean list\?/],
    ['ls --stauts down', /unknown option '--stauts'[\s\S]*Did you mean --status\?/],
  ])('the error about the command line `%s` suggests the right word', async (line, suggestion) => {
    const { context, output } = recordedContext({ env: { UPTIME_CONFIG_DIR: '/nonexistent' } });
    expect(await run(line.split(' '), context)).toBe(2);
    expect(output.stderr).toMatch(suggestion);
    expect(output.stdout).toBe('');
  });
});
