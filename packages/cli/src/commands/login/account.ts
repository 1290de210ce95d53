import { type Project, UnauthenticatedError, Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { CliError, type ExitName } from '../../exit.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { readSecret } from './read-secret.ts';
import { storeLogin } from './store-login.ts';

interface Account {
  settings: SettingFlags;
  email: string | undefined;
  password: string | undefined;
}

/** Signs in, and stores the session in the profile; with it the key of a project, where it is clear which. */
export async function loginToAccount(account: Account, context: Context): Promise<ExitName> {
  const settings = context.settings({ ...account.settings, apiKey: undefined });
  const { value: siteUrl } = settings.siteUrl;
  const email = account.email ?? (await askEmail(siteUrl, context));
  const password = await readSecret(
    { given: account.password, question: `Password of ${plain(email)}`, what: 'password' },
    context,
  );
  const { signal, fetch, io } = context;
  const onRequest = context.tracer(account.settings);
  const anonymous = new Uptime({ apiKey: null, siteUrl, fetch, onRequest });
  const { user, cookie } = await anonymous.auth.signIn({ email, password }, { signal }).catch(refused);
  if (!cookie) throw new CliError('the server signed in, but set no session cookie');

  const client = new Uptime({ session: cookie, apiKey: null, siteUrl, fetch, onRequest });
  const projects = await client.projects.list({}, { signal });
  const project = await chooseProject(projects, context);
  const login = { session: cookie, ...(project && { apiKey: project.apiKey }) };
  await storeLogin(login, settings, `Logged in to ${siteUrl} as ${plain(user.email)}`, context);
  if (project) io.say(`Project ${plain(project.name)} is in use.`);
  else if (projects.length > 0)
    io.say(`You have ${projects.length} projects: \`uptime projects use <name>\` takes one.`);
  else io.say('You have no project yet: `uptime projects create --name <name> --use` makes one.');
  return 'ok';
}

function refused(error: unknown): never {
  if (!(error instanceof UnauthenticatedError)) throw error;
  throw new CliError('the server does not take this e-mail address and password', {
    exit: 'unauthorised',
    next: 'check both; an account is made at the server, with `POST /api/auth/sign-up/email`',
    cause: error,
  });
}

async function askEmail(site: string, { io, signal }: Context): Promise<string> {
  if (!io.interactive) {
    throw new CliError('no e-mail address was given, and there is no terminal to ask on', {
      exit: 'usage',
      next: 'add --email <address>',
    });
  }
  const { input } = await import('@inquirer/prompts');
  const answer = await input(
    { message: `E-mail address of your account on ${site}`, required: true },
    { input: io.stdin, output: io.stderr, signal },
  );
  return answer.trim();
}

/** The only project there is, or the one that is chosen on a terminal. */
async function chooseProject(projects: readonly Project[], { io, signal }: Context): Promise<Project | undefined> {
  if (projects.length < 2 || !io.interactive) return projects.length === 1 ? projects[0] : undefined;
  const { select } = await import('@inquirer/prompts');
  return select(
    {
      message: 'Project to work on',
      choices: projects.map((project) => ({ name: plain(project.name), value: project, description: project.id })),
    },
    { input: io.stdin, output: io.stderr, signal },
  );
}
