import { BadRequestError, ForbiddenError, NotFoundError, type Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { explain } from '../../report.ts';
import { type SettingFlags } from '../../settings.ts';
import { maskKey } from '../../mask-key.ts';
import { relative } from '../../times.ts';
import { keyInUse, describeKey } from '../key-in-use.ts';
import { projectInUse } from '../project-of.ts';
import type { Finding } from './finding.ts';

/** Doctor warns of a key that expires within this time. */
const warnBeforeMs = 14 * 86_400_000;

/**
 * Finds out whether the server accepts the key, which project the key opens, what the key may do, and when it expires.
 */
export async function examineKey(flags: SettingFlags, context: Context): Promise<Finding & { mayRead?: boolean }> {
  try {
    const client = await context.connect(flags);
    const { apiKey } = context.settings(flags);
    const project = await projectInUse(client, flags, context);
    const key = await keyInUse(client, context.signal);
    const opens = project
      ? `opens project ${project.name} (${project.id})`
      : `opens ${key ? `project ${key.projectId}` : 'a project that the server does not name'}`;
    const shown = `${maskKey(apiKey!.value)} (${apiKey!.from})`;
    const machine = describeKey(key);
    if (key === null || machine === null) {
      const rights = key || (await mayWrite(client, context.signal)) ? 'may read and write' : 'may only read';
      return { what: 'key', state: 'ok', says: `${shown} ${opens}, and ${rights}`, mayRead: true };
    }
    const says = `${shown} ${opens}: ${machine}`;
    const mayRead = key.scope !== 'ping';
    if (key.expiresAt === null || Date.parse(key.expiresAt) - Date.now() > warnBeforeMs) {
      return { what: 'key', state: 'ok', says, mayRead };
    }
    const next = `it expires ${relative(key.expiresAt, Date.now())}: type \`uptime keys create --name <name> --scope ${key.scope} --expires 90d\` with the project's own key, and use the new key instead`;
    return { what: 'key', state: 'warning', says, next, mayRead };
  } catch (error) {
    return failed('key', error, context);
  }
}

/** Checks whether the stored session is still valid. A session is optional. */
export async function examineAccount(flags: SettingFlags, context: Context): Promise<Finding> {
  const { session, sessionWithheld } = context.settings(flags);
  const login = '`uptime login --email <address>`';
  if (sessionWithheld) return { what: 'account', state: 'warning', says: sessionWithheld, next: `type ${login}` };
  if (!session) return { what: 'account', state: 'ok', says: `not logged in; ${login} lets you manage projects` };
  try {
    const client = await context.connectAccount(flags);
    const current = await client.auth.getSession({ signal: context.signal });
    if (current) {
      const says = `${current.user.email} (${session.from}), until ${current.session.expiresAt}`;
      return { what: 'account', state: 'ok', says };
    }
    return {
      what: 'account',
      state: 'failed',
      says: 'the session has ended',
      next: `type ${login}`,
      exit: 'unauthorised',
    };
  } catch (error) {
    return failed('account', error, context);
  }
}

/**
 * Finds out whether a key may write: tries to change a monitor that does not exist. A key that may write gets a 404;
 * any other key gets a 403.
 */
async function mayWrite(client: Uptime, signal: AbortSignal): Promise<boolean> {
  try {
    await client.monitors.update('mon_0', {}, { signal });
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    if (!(error instanceof NotFoundError || error instanceof BadRequestError)) throw error;
  }
  return true;
}

async function failed(what: Finding['what'], error: unknown, context: Context): Promise<Finding> {
  if (context.signal.aborted) throw error;
  const { message, next, exit } = await explain(error, context);
  return {
    what,
    state: 'failed',
    says: message,
    exit,
    next: next ?? '`uptime whoami` shows which settings are in use',
  };
}
