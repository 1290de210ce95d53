import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { signUpInput, validate } from '@uptime/sdk/contract';
import { ConfigError, readConfig } from '../config/config.ts';
import { readConfigFile } from '../config/config-file.ts';
import { parseFlags } from '../config/parse-flags.ts';
import { isCommonPassword } from '../core/common-password.ts';
import { openServed } from './open-served.ts';
import { type Task, tasks } from './tasks.ts';

/** The environment, standard input and output that a task uses. The command line passes them in. */
export interface AdminContext {
  env: Record<string, string | undefined>;
  stdin: Readable;
  print: (text: string) => void;
}

/**
 * Runs `uptimed admin`, which has the operator's tasks. It works whether the daemon runs or not. Throws ConfigError for
 * a wrong command line, and AdminError for a task that cannot be done.
 */
export async function administer(args: string[], context: AdminContext): Promise<void> {
  const { positionals, values } = parse(args);
  const [first, second] = positionals;
  const words = Object.hasOwn(tasks, `${first} ${second}`) ? 2 : 1;
  const name = first === undefined ? undefined : positionals.slice(0, words).join(' ');
  const [argument = '', ...rest] = positionals.slice(words);
  if (name === undefined || name === 'help') return context.print(overview());
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (!task) {
    const alike = Object.entries(tasks).filter(([known]) => known.startsWith(`${first} `));
    if (alike.length === 0)
      throw new ConfigError(`There is no task ${name}. \`uptimed admin --help\` lists the tasks.`);
    if (values.help) return context.print(linesOf(alike));
    const typed = positionals.slice(0, 2).join(' ');
    throw new ConfigError(`There is no task ${typed}. These tasks begin with ${first}:\n\n${linesOf(alike)}`);
  }
  if (values.help) return context.print(helpOf(name, task));
  if (rest.length > 0 || (argument !== '' && !task.argument)) {
    throw new ConfigError(`Too many arguments. Use: ${usage(name, task)}.`);
  }
  if (argument === '' && task.argument?.startsWith('<'))
    throw new ConfigError(`${missing[task.argument] ?? 'An argument'} is missing. Use: ${usage(name, task)}.`);
  if (values.password !== undefined && !task.password) throw new ConfigError(`${name} takes no --password.`);
  if (values['refuse-pings'] && !task.refusePings) throw new ConfigError(`${name} takes no --refuse-pings.`);
  if (values.project !== undefined && !task.project) throw new ConfigError(`${name} takes no --project.`);
  if (task.project && !values.project)
    throw new ConfigError(`The project is missing. Use: ${usage(name, task)}. \`uptime projects list\` shows the ids.`);
  if (values.yes && !task.yes) throw new ConfigError(`${name} takes no --yes.`);

  const file = values.config === undefined ? {} : await readConfigFile(values.config);
  const dataDir = values['data-dir'];
  const config = readConfig({ flags: dataDir === undefined ? {} : { dataDir }, env: context.env, file });
  const store = await openServed(config);
  try {
    const password = () => readPassword(values.password, context.stdin);
    const { 'refuse-pings': refusePings = false, yes = false, project = '' } = values;
    const { print } = context;
    const { wallClock } = store.dialect;
    const now = wallClock === null ? Date.now() : Math.round(await wallClock(store.db));
    print(await task.run({ store, config, argument, password, refusePings, yes, project, now, print }));
  } finally {
    await store.close();
  }
}

function parse(args: string[]) {
  return parseFlags({
    args,
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      config: { type: 'string' },
      password: { type: 'string' },
      'refuse-pings': { type: 'boolean' },
      yes: { type: 'boolean' },
      project: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

async function readPassword(given: string | undefined, stdin: Readable): Promise<string | null> {
  if (given === undefined) return null;
  const password = given === '-' ? (await text(stdin)).replace(/\r?\n$/, '') : given;
  const valid = validate(signUpInput.shape.password, password);
  if (!valid.ok) throw new ConfigError(`The password ${valid.faults[0]!.message}.`);
  if (isCommonPassword(password)) throw new ConfigError('The password must not be one of the most common ones.');
  return password;
}

const missing: Record<string, string> = {
  '<e-mail>': 'The e-mail address',
  '<region>': 'The region',
  '<id>': 'The id',
  '<kuma.db>': 'The file',
};

const usage = (name: string, { argument, password, refusePings, yes, project }: Task): string =>
  [
    'uptimed admin',
    name,
    argument,
    project && '--project <id>',
    password && '[--password -]',
    refusePings && '[--refuse-pings]',
    yes && '[--yes]',
  ]
    .filter((word) => word !== undefined)
    .join(' ');

const places = `The database is in the folder --data-dir (or UPTIME_DATA_DIR), or in PostgreSQL at UPTIME_DATABASE_URL. The daemon may
be running. --config <file> reads these settings from the daemon's config file.`;

const overview = (): string => `uptimed admin: tasks for the operator of the server

${linesOf(Object.entries(tasks))}

${places}`;

/** Returns a line for each of these tasks: how to call it, and what it does. */
function linesOf(listed: readonly (readonly [name: string, task: Task])[]): string {
  const width = Math.max(...listed.map(([name, task]) => usage(name, task).length));
  return listed.map(([name, task]) => `  ${usage(name, task).padEnd(width)}  ${task.summary}`).join('\n');
}

const helpOf = (name: string, task: Task): string => `${usage(name, task)}: ${task.summary}

${task.details}

${places}`;
