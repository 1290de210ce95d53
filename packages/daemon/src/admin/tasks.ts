import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { createInvitation } from '../accounts/invitations.ts';
import { setSignUpClosed } from '../accounts/sign-up-closed.ts';
import { planRules } from '../plans/account-plan.ts';
import type { Store } from '../store/store.ts';
import { ServiceError } from '../errors.ts';
import { restingProbes } from '../lifecycle/resting-probes.ts';
import { retireRegion } from '../lifecycle/retire-region.ts';
import { listProbeTokens } from '../probes/known-probes.ts';
import { deleteUser } from './delete-user.ts';
import { addRegionToken, revokeToken, tokenLines } from './probes.ts';
import { AdminError, disable, enable, listUsers, resetPassword, setRole } from './users.ts';

/** One task of the operator. */
export interface Task {
  /** The argument, as the help shows it. Brackets mean that it is optional. */
  argument?: '<e-mail>' | '[e-mail]' | '<region>' | '<id>' | '<kuma.db>';
  /** Whether the task has the flag `--password`. */
  password?: true;
  /** Whether the task has the flag `--refuse-pings`. */
  refusePings?: true;
  /** Whether the task has the flag `--yes`. Without the flag, such a task only shows what it would change. */
  yes?: true;
  /** Whether the task requires the flag `--project`. */
  project?: true;
  summary: string;
  details: string;
  run: (given: Given) => Promise<string>;
}

const rulesOf = ({ billing, mode }: Config) => planRules({ charged: billing !== 'none', mode });

/** The input of a task: the store, the settings and the contents of the command line. */
interface Given {
  store: Store;
  config: Config;
  /** The argument of the task, for example an e-mail address. Empty if the command line has none. */
  argument: string;
  /** Resolves with the given password; null if none was given. */
  password: () => Promise<string | null>;
  refusePings: boolean;
  yes: boolean;
  project: string;
  /** The present time: by this machine's clock on SQLite, and by the database's clock on PostgreSQL. */
  now: number;
  /** Prints a line while the task is still running. */
  print: (line: string) => void;
}

/**
 * Replaces control and format characters in text that users wrote. Such characters could move the cursor or reverse the
 * order of a line. Unlike `plainLine`, this function keeps the width of the text, and shows the operator where such
 * characters were.
 */
const plainText = (text: string): string => text.replaceAll(/\p{C}/gu, '�');

/** Every task of `uptimed admin`, by its name. */
export const tasks: Record<string, Task> = {
  'list-users': {
    summary: 'list the accounts',
    details: 'Prints one line for each account: e-mail address, role, projects, day of sign-up, name.',
    run: async ({ store }) => {
      const users = await listUsers(store);
      if (users.length === 0) return 'There are no accounts yet. The first person who signs up becomes admin.';
      const width = Math.max(...users.map(({ email }) => email.length));
      return users
        .map(({ email, role, projects, createdAt, name }) =>
          [
            email.padEnd(width),
            role.padEnd(5),
            `${projects} projects`.padEnd(11),
            createdAt.slice(0, 10),
            plainText(name),
          ].join('  '),
        )
        .join('\n');
    },
  },
  grant: {
    argument: '<e-mail>',
    summary: 'make an account admin',
    details: 'An admin may change the plans. The new role takes effect at once, in open sessions too.',
    run: async ({ store, argument: email }) => {
      await setRole(store, email, 'admin');
      return `${email} is an admin now.`;
    },
  },
  revoke: {
    argument: '<e-mail>',
    summary: 'turn an admin into an ordinary user again',
    details: 'The new role takes effect at once, in open sessions too.',
    run: async ({ store, argument: email }) => {
      await setRole(store, email, 'user');
      return `${email} is no longer an admin.`;
    },
  },
  'reset-password': {
    argument: '<e-mail>',
    password: true,
    summary: 'set a new password, and end the sessions of the account',
    details:
      'Prints a generated password. With `--password -` the password is read from standard input (8 to 128 characters).\nAPI keys still work. Use `disable` to refuse them.',
    run: async ({ store, argument: email, password }) => {
      const given = await password();
      const made = given ?? randomBytes(12).toString('base64url');
      await resetPassword(store, email, made);
      const done = `${email} has a new password, and is signed out everywhere.`;
      return given === null ? `${done}\nThe password, shown only this once: ${made}` : done;
    },
  },
  disable: {
    argument: '<e-mail>',
    refusePings: true,
    summary: 'disable an account: end its sessions, refuse its keys, pause its monitors',
    details:
      "It takes effect at once. Nothing is deleted; `enable` undoes it.\nPings of the account's jobs are still recorded. With `--refuse-pings` the server answers them with 404.",
    run: async ({ store, config, argument: email, refusePings, now }) => {
      await disable(store, email, { refusePings, rules: rulesOf(config), now });
      return `${email} is disabled. \`uptimed admin enable ${email}\` undoes it.`;
    },
  },
  enable: {
    argument: '<e-mail>',
    summary: 'enable a disabled account again',
    details: 'Its keys work and its monitors run again. Its user has to sign in again.',
    run: async ({ store, config, argument: email, now }) => {
      await enable(store, email, { rules: rulesOf(config), now });
      return `${email} is enabled again.`;
    },
  },
  'delete-user': {
    argument: '<e-mail>',
    yes: true,
    summary: 'delete an account with all its projects',
    details: 'This cannot be undone. Without `--yes` it only shows what would be deleted.',
    run: async ({ store, argument: email, yes, now }) => {
      const { projects, monitors } = await deleteUser(store, email, { yes, now });
      const what = `${email} with ${projects} project(s) and ${monitors} monitor(s)`;
      return yes ? `Deleted ${what}.` : `This would delete ${what}. Add --yes to do it.`;
    },
  },
  invite: {
    argument: '[e-mail]',
    summary: 'make an invitation to sign up',
    details:
      'Prints a code with which one person can sign up within 7 days: `uptime signup --invitation <code>`.\nThe code works only while the daemon runs with UPTIME_SIGNUP=invite.\nIf you give an e-mail address, the code works only for that address.',
    run: async ({ store, config, argument: email, now }) => {
      const { code, expiresAt } = await createInvitation(store, { email: email || null, now });
      const until = new Date(expiresAt).toISOString().slice(0, 10);
      const note = config.signup === 'invite' ? '' : '\nIt works only while the daemon runs with UPTIME_SIGNUP=invite.';
      return `${code}\nValid until ${until}, for one account${email && ` with the address ${email}`}; shown only this once.${note}`;
    },
  },
  'probes add': {
    argument: '<region>',
    summary: 'make a token with which probes join a region',
    details: 'A probe checks from another place (see docs/regions.md). Several probes may use one token.',
    run: async ({ store, config, argument: region, now }) => {
      const { id, token } = await addRegionToken(store, { region, now });
      const site = config.siteUrl ?? 'https://uptime.example.com';
      const command = `uptimed probe --join ${site} --token ${token}`;
      const note =
        config.siteUrl === null ? '\nReplace https://uptime.example.com with the address of this server.' : '';
      return `${token}\nShown only this once; its id is ${id}. On the other machine:\n  ${command}${note}`;
    },
  },
  'probes list': {
    summary: 'list the probe tokens, and the probes of each',
    details: 'Prints one line for each token, and below it one line for each probe that joined with the token.',
    run: async ({ store, now }) => {
      const tokens = await listProbeTokens(store.db);
      if (tokens.length === 0) return 'There are no probes. `uptimed admin probes add <region>` makes a token for one.';
      const resting = restingProbes(
        tokens.flatMap(({ probes }) => probes),
        now,
      );
      return tokens.map((token) => tokenLines(token, now, resting)).join('\n');
    },
  },
  'probes revoke': {
    argument: '<id>',
    summary: 'revoke a probe token',
    details: 'It takes effect at once. `probes list` shows the ids.',
    run: async ({ store, argument: id }) => {
      await revokeToken(store, id);
      return `${id} is revoked: its probes get no monitors, and their results are refused.`;
    },
  },
  'regions retire': {
    argument: '<region>',
    summary: 'end the warnings about a region that nothing serves any more',
    details:
      'The region no longer appears in lists, warnings and metrics. Monitors that name the region keep it. A monitor that names\nno regions gets another region if a plan limits its regions. First stop the probes and daemons of the region, and revoke\nits tokens. As soon as a probe or a daemon reports from the region, the region is back.',
    run: async ({ store, argument: region, now }) => {
      try {
        const moved = await retireRegion(store, region, now);
        const others = moved === 0 ? '' : ` ${moved} monitor(s) whose plan limits their regions got another region.`;
        return `${region} is retired.${others} \`uptimed admin probes list\` shows whether ${region} still has tokens.`;
      } catch (error) {
        throw error instanceof ServiceError ? new AdminError(error.message) : error;
      }
    },
  },
  'import-history': {
    argument: '<kuma.db>',
    project: true,
    yes: true,
    summary: 'import the history that Uptime Kuma recorded',
    details: `First create the monitors: \`uptime import kuma kuma.db\`, then \`uptime apply\`. Monitors are matched by the key or name that
the import wrote. Each monitor gets its uptime, response times and changes of status from before its creation. Its status and
its alerts stay as they are. Copy kuma.db together with kuma.db-wal, and give the path of the copy. A second run adds
only what is new. Without \`--yes\` it only shows what it would import, and what it would leave out.`,
    run: async ({ store, config, argument: file, project, yes, now, print }) => {
      const { importKumaHistory } = await import('./import-history.ts');
      return importKumaHistory({ store, config, file, project, yes, now, print, plainText });
    },
  },
  'close-signup': {
    summary: 'close sign-up',
    details:
      'It takes effect at once. Sign-up stays closed after restarts, whatever UPTIME_SIGNUP says, until you run `open-signup`.',
    run: async ({ store, now }) => {
      await setSignUpClosed(store, true, now);
      return 'Sign-up is closed.';
    },
  },
  'open-signup': {
    summary: 'let UPTIME_SIGNUP decide about sign-up again',
    details: 'Undoes `close-signup`.',
    run: async ({ store, config, now }) => {
      await setSignUpClosed(store, false, now);
      return `UPTIME_SIGNUP decides about sign-up again. In the settings that this command read, UPTIME_SIGNUP is ${config.signup}.`;
    },
  },
};
